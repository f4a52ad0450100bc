import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TrialCheckDto } from '../src/modules/checks/dto/check.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type Client } from './support/client.js';
import { eventually } from './support/eventually.js';
import { httpMonitor } from './support/monitors.js';
import { rowsOf } from './support/rows.js';
import { answers, type Behaviour, resets, startTarget, type Target } from './support/target.js';

let app: TestApp;
let api: Client;
let target: Target;
beforeAll(async () => {
  [app, target] = await Promise.all([sharedApp(), startTarget()]);
  api = app.api(app.teams.ours.write);
});
afterAll(async () => {
  await app.close();
  await target.close();
});

const slow: Behaviour = (response) => void setTimeout(() => response.end('ok'), 60);
const run = (definition: Record<string, unknown>) => api.post<TrialCheckDto>('/v1/monitors/test', definition);

describe('POST /monitors/test', () => {
  it('checks once and stores nothing', async () => {
    const before = await rowsOf(app, app.teams.ours.id);
    const { status, headers, body } = await run(httpMonitor(target.url('/once'), { key: 'not-stored' }));
    expect({ status, location: headers.get('location') }).toEqual({ status: 200, location: null });
    expect(body).toMatchObject({
      id: null,
      monitorId: null,
      trigger: 'manual',
      status: 'up',
      statusCode: 200,
      error: null,
    });
    expect(body.remoteAddress).toBe('127.0.0.1');
    expect(body.timings.connectMs).toBeGreaterThan(0);
    expect(target.requests('/once')).toHaveLength(1);
    expect(await rowsOf(app, app.teams.ours.id)).toEqual(before);
  });

  it.each([
    [
      'an unexpected status',
      answers(503),
      {},
      { status: 'down', error: { code: 'unexpected_status' }, statusCode: 503 },
    ],
    ['a connection reset', resets, {}, { status: 'down', error: { code: 'connection_reset' } }],
    ['a missing response', () => undefined, { timeoutMs: 200 }, { status: 'down', error: { code: 'timeout' } }],
    [
      'a failed assertion',
      answers(200, 'nothing'),
      { assertions: [{ source: 'textBody', comparison: 'contains', target: 'ok' }] },
      { status: 'down', error: { code: 'assertion_failed' }, failedAssertions: [{ index: 0 }] },
    ],
    ['a slow response', slow, { degradedAfterMs: 20 }, { status: 'degraded', error: null }],
  ])('reports %s', async (name, behaviour, more, expected) => {
    const path = `/${encodeURIComponent(name)}`;
    target.behave(path, behaviour);
    // A check that the machine itself delayed has no result for the target: repeat until one has.
    await eventually(async () => {
      const { status, body } = await run(httpMonitor(target.url(path), more));
      expect({ status, body }).toMatchObject({ status: 200, body: expected });
    });
  });

  it('validates a definition as a create does: 422 with pointers, and no request to the target', async () => {
    const { status, body } = await run(httpMonitor(target.url('/not-called'), { intervalSeconds: 0, stray: 1 }));
    const pointers = body as unknown as { errors: { pointer: string }[] };
    expect({ status, pointers: pointers.errors.map(({ pointer }) => pointer).sort() }).toEqual({
      status: 422,
      pointers: ['/intervalSeconds', '/stray'],
    });
    expect(target.requests('/not-called')).toEqual([]);
  });

  it('applies the address policy of every check', async () => {
    for (const url of [
      'http://169.254.169.254/',
      'http://10.0.0.1/',
      'http://[::ffff:10.0.0.1]/',
      'http://0x0a000001/',
    ]) {
      expect(await run({ name: 'x', type: 'http', url })).toMatchObject({ status: 422 });
    }
    target.behave('/inward', (response) => void response.writeHead(302, { location: 'http://10.0.0.1/' }).end());
    const { body } = await run(httpMonitor(target.url('/inward')));
    expect(body).toMatchObject({ status: 'down', error: { code: 'address_blocked' } });
  });

  it('rejects a masked secret, as there is no stored one', async () => {
    const auth = { type: 'bearer', token: '********' };
    expect(await run(httpMonitor(target.url('/'), { auth }))).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/auth/token', code: 'secret_required' }] },
    });
  });

  it('requires the scope write', async () => {
    expect((await app.api(app.teams.ours.read).post('/v1/monitors/test', httpMonitor(target.url('/')))).status).toBe(
      403,
    );
  });
});
