import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type MonitorDto } from '../src/modules/monitors/dto/monitor.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type Client } from './support/client.js';
import { createMonitor, getMonitor, httpMonitor } from './support/monitors.js';

const URL_OF_NOBODY = 'http://127.0.0.1:9/';
const paused = (more: Record<string, unknown> = {}) => httpMonitor(URL_OF_NOBODY, { paused: true, ...more });

let app: TestApp;
let api: Client;
beforeAll(async () => {
  app = await sharedApp();
  api = app.api(app.teams.ours.write);
});
afterAll(() => app.close());

describe('creating a monitor', () => {
  it('fills omitted fields with their defaults, and returns the address of the monitor', async () => {
    const body = { name: 'Minimal', type: 'http', url: 'https://example.com/health', paused: true };
    const { status, headers, body: made } = await api.post<MonitorDto>('/v1/monitors', body);
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/v1/monitors/${made.id}`);
    expect(made).toMatchObject({
      revision: 1,
      key: null,
      name: 'Minimal',
      description: null,
      runbookUrl: null,
      type: 'http',
      url: body.url,
      method: 'GET',
      headers: {},
      secretHeaders: [],
      body: null,
      auth: null,
      followRedirects: true,
      maxRedirects: 10,
      verifyTls: true,
      expectedStatusCodes: ['2xx'],
      assertions: [],
      host: null,
      port: null,
      settings: null,
      intervalSeconds: 60,
      timeoutMs: 10_000,
      degradedAfterMs: null,
      failureThreshold: 2,
      recoveryThreshold: 1,
      retryIntervalSeconds: null,
      locations: ['default'],
      quorum: 'majority',
      tags: [],
      parentIds: [],
      metadata: {},
      expiresAt: null,
      status: 'paused',
      verifying: null,
      confirming: null,
      lastCheckAt: null,
      nextCheckAt: null,
      lastError: null,
      pausedUntil: null,
      pauseReason: null,
      resumedAt: null,
      notified: false,
      htmlUrl: `${app.origin}/monitors/${made.id}`,
    });
    expect(made.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    expect(made.updatedAt).toBe(made.createdAt);
    expect(await getMonitor(api, made.id)).toEqual(made);
  });

  it('accepts every field of a definition, and returns it as sent', async () => {
    const definition = paused({
      key: 'complete',
      name: 'Vollständig ✓',
      description: 'All of it',
      runbookUrl: 'https://wiki.example/runbooks/shop',
      method: 'POST',
      body: '{}',
      headers: { Accept: 'text/plain' },
      followRedirects: false,
      maxRedirects: 0,
      verifyTls: false,
      expectedStatusCodes: ['2xx', '300-399', 404],
      intervalSeconds: 30,
      timeoutMs: 5_000,
      quorum: 1,
      assertions: [
        { source: 'jsonBody', property: '$.status', comparison: 'equals', target: 'ok' },
        { source: 'responseTimeMs', property: null, comparison: 'lessThan', target: 500 },
        { source: 'header', property: 'Content-Type', comparison: 'exists', target: null },
      ],
      degradedAfterMs: 800,
      failureThreshold: 3,
      recoveryThreshold: 2,
      retryIntervalSeconds: 10,
      tags: ['b', 'a'],
      metadata: { service: 'checkout', toString: 'kept' },
      expiresAt: '2999-01-01T00:00:00.000Z',
    });
    const { paused: _, ...kept } = definition;
    expect(await createMonitor(api, definition)).toMatchObject(kept);
  });

  it('accepts a tcp monitor, whose http fields are null', async () => {
    const made = await createMonitor(api, {
      name: 'Database',
      type: 'tcp',
      host: '127.0.0.1',
      port: 5432,
      paused: true,
    });
    expect(made).toMatchObject({
      type: 'tcp',
      host: '127.0.0.1',
      port: 5432,
      assertions: [],
      url: null,
      headers: null,
    });
  });

  it('accepts the response of GET without read-only fields, where null equals omission', async () => {
    const { body } = await api.get<MonitorDto>('/v1/monitors/key:complete');
    const readOnly = Object.keys(app.document.components?.schemas?.HttpMonitor ? body : {}).filter(
      (name) => !(name in WRITABLE),
    );
    const copy = Object.fromEntries(Object.entries(body).filter(([name]) => !readOnly.includes(name)));
    const made = await createMonitor(api, { ...copy, key: 'copy', paused: true });
    expect(made).toMatchObject({ ...copy, key: 'copy' });
  });

  const WRITABLE = {
    ...paused(),
    key: 1,
    description: 1,
    runbookUrl: 1,
    method: 1,
    headers: 1,
    body: 1,
    assertions: 1,
    host: 1,
    port: 1,
  };

  const FAULTS: [string, Record<string, unknown>, { pointer: string; code: string }][] = [
    ['no name', { name: undefined }, { pointer: '/name', code: 'required' }],
    ['an empty name', { name: '' }, { pointer: '/name', code: 'too_short' }],
    ['an unknown type', { type: 'gopher' }, { pointer: '/type', code: 'invalid_value' }],
    ['a relative url', { url: '/health' }, { pointer: '/url', code: 'invalid_value' }],
    ['user info in the url', { url: 'http://a:b@127.0.0.1/' }, { pointer: '/url', code: 'invalid_value' }],
    ['a blocked address', { url: 'http://169.254.169.254/' }, { pointer: '/url', code: 'address_blocked' }],
    ['an address in octal', { url: 'http://0251.0376.0251.0376/' }, { pointer: '/url', code: 'address_blocked' }],
    ['an unknown field', { nmae: 'x' }, { pointer: '/nmae', code: 'unknown_field' }],
    ['an unknown field that is null', { nmae: null }, { pointer: '/nmae', code: 'unknown_field' }],
    ['a read-only field', { status: 'up' }, { pointer: '/status', code: 'read_only_field' }],
    ['another team', { teamId: 'x' }, { pointer: '/teamId', code: 'unknown_field' }],
    ['a field of another type', { port: 80 }, { pointer: '/port', code: 'not_applicable' }],
    ['an interval of 0', { intervalSeconds: 0 }, { pointer: '/intervalSeconds', code: 'out_of_range' }],
    ['an interval of 2^31', { intervalSeconds: 2 ** 31 }, { pointer: '/intervalSeconds', code: 'out_of_range' }],
    ['a fractional interval', { intervalSeconds: 1.5 }, { pointer: '/intervalSeconds', code: 'invalid_type' }],
    ['an interval as a string', { intervalSeconds: '60' }, { pointer: '/intervalSeconds', code: 'invalid_type' }],
    ['a timeout over the interval', { timeoutMs: 1_001 }, { pointer: '/timeoutMs', code: 'out_of_range' }],
    ['a line break in a header', { headers: { A: 'b\r\nC: d' } }, { pointer: '/headers', code: 'invalid_value' }],
    ['a mask without a secret', { auth: { type: 'bearer', token: '********' } }, SECRET_REQUIRED('/auth/token')],
    ['NUL', { name: 'a\u0000b' }, { pointer: '/name', code: 'forbidden_character' }],
    ['NUL in metadata', { metadata: { a: '\u0000' } }, { pointer: '/metadata/a', code: 'forbidden_character' }],
    ['metadata named like a method', { metadata: { toString: 1 } }, { pointer: '/metadata', code: 'invalid_value' }],
    [
      'a header named like a method',
      { headers: { valueOf: 'a\r\nb' } },
      { pointer: '/headers', code: 'invalid_value' },
    ],
    ['an unknown location', { locations: ['mars'] }, { pointer: '/locations/0', code: 'invalid_value' }],
    ['a quorum beyond the locations', { quorum: 2 }, { pointer: '/quorum', code: 'out_of_range' }],
    ['a key like an API key', { key: 'dw_x' }, { pointer: '/key', code: 'invalid_value' }],
    ['an expiry in the past', { expiresAt: '2020-01-01T00:00:00Z' }, { pointer: '/expiresAt', code: 'out_of_range' }],
    ['a script as runbook', { runbookUrl: 'javascript:alert(1)' }, { pointer: '/runbookUrl', code: 'invalid_value' }],
    ['a long runbook', { runbookUrl: `https://a/${'b'.repeat(2_039)}` }, { pointer: '/runbookUrl', code: 'too_long' }],
    ['user info in a runbook', { runbookUrl: 'https://a:b@c/' }, { pointer: '/runbookUrl', code: 'invalid_value' }],
    ['a duplicate tag', { tags: ['a', 'a'] }, { pointer: '/tags', code: 'duplicate' }],
  ];

  function SECRET_REQUIRED(pointer: string) {
    return { pointer, code: 'secret_required' };
  }

  it.each(FAULTS)('rejects %s with 422 and its pointer', async (_, change, fault) => {
    const { status, body } = await api.post('/v1/monitors', paused(change));
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'validation_failed' });
    expect(body.errors).toEqual([expect.objectContaining(fault)]);
  });

  it('reports every error at once', async () => {
    const { body } = await api.post('/v1/monitors', { type: 'http', url: 'x', intervalSeconds: 0, extra: 1 });
    const pointers = (body.errors ?? []).map(({ pointer }) => pointer).sort();
    expect(pointers).toEqual(['/extra', '/intervalSeconds', '/name', '/url']);
  });
});

describe('the key of a monitor', () => {
  it('is accepted in place of the id in every path', async () => {
    const { id } = await createMonitor(api, paused({ key: 'by-key' }));
    for (const below of ['', '/checks', '/uptime', '/transitions']) {
      expect((await api.get(`/v1/monitors/key:by-key${below}`)).status).toBe(200);
    }
    const { body } = await api.patch<MonitorDto>('/v1/monitors/key:by-key', { key: 'renamed' });
    expect(body).toMatchObject({ id, key: 'renamed' });
    expect((await api.get('/v1/monitors/key:by-key')).status).toBe(404);
    expect((await api.delete('/v1/monitors/key:renamed')).status).toBe(204);
  });

  it('is unique in its team: a create or change with a taken key is 409, and another team may use it', async () => {
    await createMonitor(api, paused({ key: 'taken' }));
    const { id } = await createMonitor(api, paused());
    for (const answer of [
      await api.post('/v1/monitors', paused({ key: 'taken' })),
      await api.patch(`/v1/monitors/${id}`, { key: 'taken' }),
    ]) {
      expect(answer).toMatchObject({ status: 409, body: { code: 'key_taken' } });
    }
    await createMonitor(app.api(app.teams.theirs.write), paused({ key: 'taken' }));
  });

  it('lets only one of several concurrent creates succeed', async () => {
    const racing = Array.from({ length: 10 }, () => api.post('/v1/monitors', paused({ key: 'raced' })));
    const statuses = (await Promise.all(racing)).map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array<number>(9).fill(409)]);
  });
});

describe('deleting a monitor', () => {
  it('responds with 204, then 404', async () => {
    const { id } = await createMonitor(api, paused());
    const { status, body } = await api.delete(`/v1/monitors/${id}`);
    expect({ status, body }).toEqual({ status: 204, body: null });
    expect((await api.delete(`/v1/monitors/${id}`)).status).toBe(404);
    expect((await api.get(`/v1/monitors/${id}`)).status).toBe(404);
  });
});
