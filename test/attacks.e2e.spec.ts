import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedApp, type TestApp } from './support/app.js';

let app: TestApp;
let id: string;

beforeAll(async () => {
  app = await sharedApp();
  const { body } = await call('POST', '/v1/monitors', {
    name: 'M',
    type: 'http',
    url: 'http://127.0.0.1:9/',
    paused: true,
  });
  id = body.id as string;
});

afterAll(() => app?.close());

async function call(
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(`${app.origin}${path}`, {
    method,
    headers: { authorization: `Bearer ${app.teams.ours.admin}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const http = { name: 'M', type: 'http', url: 'http://127.0.0.1:9/', paused: true };

describe('bad input that was once accepted or caused a 500', () => {
  it.each<[string, string, unknown, number]>([
    ['POST', '/v1/monitors', { ...http, assertions: [[]] }, 422],
    ['POST', '/v1/monitors', { ...http, expiresAt: '9999-12-31T23:59:59-15:59' }, 422],
    ['POST', '/v1/monitors', { ...http, headers: { 'X-Plain': '********' } }, 422],
    ['POST', '/v1/monitors', { ...http, nonsense: null }, 422],
    ['POST', '/v1/status-pages', { name: 'P', slug: 'p', components: [[{ monitorId: 'key:x' }]] }, 422],
    ['GET', '/v1/monitors/:id/checks?from=2030-01-01T00:00:00%2B23:59', undefined, 400],
    ['GET', '/v1/monitors/:id/transitions?to=0000-01-01T00:00:00Z', undefined, 400],
    ['GET', '/v1/monitors/:id/uptime?from=0000-01-01&to=0000-01-10', undefined, 400],
    ['GET', '/v1/monitors/:id/uptime?from=9999-12-01&to=9999-12-31', undefined, 400],
    ['POST', '/v1/monitors/:id/resume', { foo: 1 }, 422],
    ['POST', '/v1/monitors/:id/resume', [], 422],
    ['POST', '/v1/monitors/:id/checks', { location: 'nowhere' }, 422],
    ['PATCH', '/v1/monitors/:id', { headers: { 'X-Plain': 'a', 'x-plain': 'b' } }, 422],
    ['PATCH', '/v1/monitors/:id', { nonsense: null }, 422],
  ])('responds to %s %s %j with %4$i', async (method, path, body, status) => {
    expect((await call(method, path.replace(':id', id), body)).status).toBe(status);
  });

  it('deletes a monitor at its expiry even if it is patched at that moment', async () => {
    const { body } = await call('POST', '/v1/monitors', { ...http, expiresInSeconds: 1 });
    let gone = false;
    for (const end = Date.now() + 10_000; !gone && Date.now() < end;) {
      gone = (await call('PATCH', `/v1/monitors/${body.id as string}`, { name: 'still here' })).status === 404;
    }
    expect(gone).toBe(true);
  });
});
