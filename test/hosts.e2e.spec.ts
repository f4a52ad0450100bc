import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { startApp, type TestApp } from './support/app.js';

const PUBLIC_URL = 'https://status.example';

let named: TestApp;
let local: TestApp;
beforeAll(async () => {
  [named, local] = await Promise.all([startApp({ PUBLIC_URL, ALLOWED_HOSTS: 'daywatch' }), startApp()]);
});
afterAll(() => Promise.all([named.close(), local.close()]));

interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  body: string;
}

async function ask(app: TestApp, path: string, host: string): Promise<Answer> {
  const authorization = `Bearer ${app.teams.ours.admin}`;
  const request = get(app.origin + path, { headers: { host, authorization }, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode!, headers: response.headers, body: await text(response) };
}

describe('a request', () => {
  it.each(['status.example', 'daywatch:3000', 'localhost', '127.0.0.1:8080', '192.0.2.7'])(
    'to the configured host %s is served',
    async (host) => {
      expect((await ask(named, '/v1/monitors', host)).status).toBe(200);
    },
  );

  it.each(['/v1/monitors', '/sign-in', '/setup', '/status/x', '/docs', '/nothing'])(
    'to an unknown host is rejected at %s before anything else',
    async (path) => {
      const { status, headers, body } = await ask(named, path, 'evil.example');
      expect(status).toBe(421);
      expect(headers['x-frame-options']).toBe('DENY');
      expect(body).toContain('is not configured for the host evil.example');
    },
  );

  it.each(['/healthz', '/readyz'])('to an unknown host is served at %s, for orchestrators', async (path) => {
    expect((await ask(named, path, 'evil.example')).status).toBe(200);
  });
});

describe('links', () => {
  const path = '/v1/api-keys?limit=1';
  const linkOf = async (app: TestApp, host: string) => (await ask(app, path, host)).headers.link;

  it('use the public origin, regardless of the requested host', async () => {
    expect(await linkOf(named, 'daywatch')).toMatch(/^<https:\/\/status\.example\/v1\/api-keys\?/);
  });

  it('use a configured host as requested, and are relative for an unknown address', async () => {
    expect(await linkOf(local, 'localhost:3000')).toMatch(/^<http:\/\/localhost:3000\/v1\/api-keys\?/);
    expect(await linkOf(local, '192.0.2.7')).toMatch(/^<\/v1\/api-keys\?/);
  });

  it('to a problem type are absolute if the public origin is configured', async () => {
    const typeOf = async (app: TestApp) =>
      (JSON.parse((await ask(app, '/v1/nothing', 'localhost')).body) as { type: string }).type;
    expect(await typeOf(named)).toBe(`${PUBLIC_URL}/docs/problems#not_found`);
    expect(await typeOf(local)).toBe('/docs/problems#not_found');
  });

  it('of the OpenAPI document include the public origin', async () => {
    const servers = async (app: TestApp) =>
      (JSON.parse((await ask(app, '/docs/openapi.json', 'localhost')).body) as { servers: object[] }).servers;
    expect(await servers(named)).toEqual([{ url: PUBLIC_URL }, { url: '/' }]);
    expect(await servers(local)).toEqual([{ url: '/' }]);
  });
});
