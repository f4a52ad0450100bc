import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { parse } from 'yaml';
import { startApp, type TestApp } from './support/app.js';
import { unescaped } from './support/html-forms.js';
import { signedIn } from './support/people.js';

const PUBLIC_URL = 'http://status.example';

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

function ask(app: TestApp, path: string, host: string): Promise<Answer> {
  return send(app, path, { host, authorization: `Bearer ${app.teams.ours.admin}` });
}

/** Sends a GET, or a POST with a form. `fetch` does not allow another host. */
async function send(app: TestApp, path: string, headers: Record<string, string>, form?: string): Promise<Answer> {
  const method = form === undefined ? 'GET' : 'POST';
  const sent = request(app.origin + path, { method, headers, agent: false }).end(form);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
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

  it.each<[number, string]>([
    [200, 'http://status.example/v1/monitors?limit=1'],
    [200, 'HTTP://localhost/v1/monitors'],
    [421, 'http://evil.example/v1/monitors'],
    [421, 'http://evil.example:x/v1/monitors?limit=1'],
  ])('is answered with %d for the target %s, whose host takes precedence', async (status, path) => {
    const { hostname, port } = new URL(named.origin);
    const headers = { host: 'daywatch', authorization: `Bearer ${named.teams.ours.admin}` };
    const sent = request({ hostname, port, path, headers, agent: false }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(status);
  });

  it.each(['/healthz', '/readyz'])('to an unknown host is served at %s, for orchestrators', async (path) => {
    expect((await ask(named, path, 'evil.example')).status).toBe(200);
  });
});

describe('links', () => {
  const path = '/v1/api-keys?limit=1';
  const linkOf = async (app: TestApp, host: string) => (await ask(app, path, host)).headers.link;

  it('use the public origin, regardless of the requested host', async () => {
    expect(await linkOf(named, 'daywatch')).toMatch(/^<http:\/\/status\.example\/v1\/api-keys\?/);
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
    const yaml = parse((await ask(named, '/docs/openapi.yaml', 'localhost')).body) as { servers: object[] };
    expect(yaml.servers).toEqual(await servers(named));
  });
});

describe('pages', () => {
  /** Returns the link of a new invitation and the curl command of a list, as shown to a person under this host. */
  async function shownUnder(app: TestApp, host: string): Promise<{ link: string; curl: string }> {
    const owner = await signedIn(app, 'owner');
    await owner.open('/settings/team');
    const headers = { host, cookie: `dw_session=${owner.cookies.get('dw_session')!}` };
    const form = new URLSearchParams({ _token: owner.formToken, role: 'viewer', email: '' }).toString();
    const sent = { ...headers, origin: `http://${host}`, 'content-type': 'application/x-www-form-urlencoded' };
    const invited = await send(app, '/settings/team/invitations', sent, form);
    const list = await send(app, '/status-pages', headers);
    expect([invited.status, list.status]).toEqual([200, 200]);
    const found = (pattern: RegExp, { body }: Answer): string => pattern.exec(unescaped(body))?.[1] ?? body;
    return {
      link: found(/(https?:\/\/[^\s<"']+)\/invitations\/[\w-]{40,}/, invited),
      curl: found(/curl [^<]*'(https?:\/\/[^\s<"']+)\/v1\/status-pages'/, list),
    };
  }

  it.each(['203.0.113.9', '203.0.113.9:8080', '[2001:db8::9]'])(
    'requested under the foreign address %s show the address that the service listens on',
    async (host) => {
      expect(await shownUnder(local, host)).toEqual({ link: local.origin, curl: local.origin });
    },
  );

  it("requested under one of the service's own hosts show that host", async () => {
    const origin = 'http://localhost:8080';
    expect(await shownUnder(local, 'localhost:8080')).toEqual({ link: origin, curl: origin });
  });

  it.each(['203.0.113.9', 'daywatch'])('requested under %s show the public origin', async (host) => {
    expect(await shownUnder(named, host)).toEqual({ link: PUBLIC_URL, curl: PUBLIC_URL });
  });
});
