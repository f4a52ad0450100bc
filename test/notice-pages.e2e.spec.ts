import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedApp, type TestApp } from './support/app.js';
import { Browser } from './support/browser.js';
import { signedIn } from './support/people.js';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

let app: TestApp;
beforeAll(async () => {
  app = await sharedApp();
});
afterAll(() => app.close());

const call = (method: string, path: string, accept: string) =>
  new Browser(app.origin).call(method, path, { headers: { accept } });

describe('an unknown path or method', () => {
  it.each([
    ['GET', '/nothing', 404],
    ['GET', '/settings/nothing', 404],
    ['GET', '/vision', 404],
    ['GET', '/%', 404],
    ['GET', '/sign-out', 405],
    ['PUT', '/settings/team', 405],
  ])('%s %s is reported to browsers as a page', async (method, path, status) => {
    const answer = await call(method, path, BROWSER);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(answer.headers.has('allow')).toBe(status === 405);
    expect(await answer.text()).toMatch(/^<!doctype html>.*href="\/">Back to the overview</s);
  });

  it.each(['/nothing', '/sign-out', '/v1/nothing'])('%s is reported to other clients as a problem', async (path) => {
    for (const accept of ['*/*', 'application/json']) {
      const answer = await call('GET', path, accept);
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
    }
  });

  it.each(['/v1', '/v1/nothing', '/docs/nothing', '/badges/x', '/assets/x', '/readyz/x'])(
    '%s is reported to every client as a problem',
    async (path) => {
      const answer = await call('GET', path, BROWSER);
      expect([404, 405]).toContain(answer.status);
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
    },
  );

  it('is shown in the theme selected by the person', async () => {
    const browser = await signedIn(app, 'viewer');
    await browser.call('POST', '/theme', { form: { theme: 'dark', next: '/' } });
    const answer = await browser.call('GET', '/nothing', { headers: { accept: BROWSER } });
    expect(await answer.text()).toContain('data-theme="dark"');
  });
});
