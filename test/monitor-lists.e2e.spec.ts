import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type CursorCodec } from '../src/http/lists/cursor.js';
import { type Page } from '../src/http/lists/page.js';
import { MONITOR_SORTS } from '../src/modules/monitors/dto/list-monitors.query.js';
import { type MonitorDto } from '../src/modules/monitors/dto/monitor.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type Client } from './support/client.js';
import { createMonitor, httpMonitor } from './support/monitors.js';

let app: TestApp;
let api: Client;

/** Created in this order; the default order of the list is the reverse. */
const MONITORS = [
  httpMonitor('http://127.0.0.1:9/alpha', { name: 'alpha', key: 'a', tags: ['eu', 'prod'], paused: true }),
  httpMonitor('http://127.0.0.1:9/beta', { name: 'Beta 100%', key: 'b', tags: ['eu'], intervalSeconds: 3_600 }),
  { name: 'gamma', key: 'c', type: 'tcp', host: 'db.example.com', port: 5432, tags: ['prod'], paused: true },
  httpMonitor('http://127.0.0.1:9/delta?token=hidden', { name: 'delta_x', paused: true }),
];

beforeAll(async () => {
  app = await sharedApp();
  api = app.api(app.teams.ours.write);
  for (const definition of MONITORS) await createMonitor(api, definition);
  await createMonitor(
    app.api(app.teams.theirs.write),
    httpMonitor('http://127.0.0.1:9/', { name: 'alpha', tags: ['eu'] }),
  );
});
afterAll(() => app.close());

async function names(query: string): Promise<string[]> {
  const { status, body } = await api.get<Page<MonitorDto>>(`/v1/monitors${query}`);
  expect({ query, status }).toEqual({ query, status: 200 });
  return body.data.map(({ name }) => name.split(/[ _]/)[0]!);
}

describe('the list of monitors', () => {
  it.each([
    ['', ['delta', 'gamma', 'Beta', 'alpha']],
    ['?sort=createdAt', ['alpha', 'Beta', 'gamma', 'delta']],
    ['?sort=-createdAt', ['delta', 'gamma', 'Beta', 'alpha']],
    ['?type=tcp', ['gamma']],
    ['?tag=eu', ['Beta', 'alpha']],
    ['?tag=eu&tag=prod', ['alpha']],
    ['?tag=nobody', []],
    ['?key=b', ['Beta']],
    ['?key=nobody', []],
    ['?status=paused', ['delta', 'gamma', 'alpha']],
    ['?status=paused&status=pending&status=down&status=up', ['delta', 'gamma', 'Beta', 'alpha']],
    ['?status=paused&type=http&tag=eu', ['alpha']],
    ['?q=ALPHA', ['alpha']],
    ['?q=db.example', ['gamma']],
    ['?q=%25', ['Beta']],
    ['?q=_', ['delta']],
    ['?q=hidden', []],
    ['?q=127.0.0.1%20alpha', ['alpha']],
    ['?q=%20%20beta%20%20100%25%20', ['Beta']],
    ['?q=alpha%20gamma', []],
    ['?q=%20', ['delta', 'gamma', 'Beta', 'alpha']],
    ['?limit=2', ['delta', 'gamma']],
    ['?limit=1000', ['delta', 'gamma', 'Beta', 'alpha']],
  ])('%s', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  it.each(['name', 'statusSince'] as const)('sorts by %s, both ways', async (field) => {
    const { body: up } = await api.get<Page<MonitorDto>>(`/v1/monitors?sort=${field}`);
    const { body: down } = await api.get<Page<MonitorDto>>(`/v1/monitors?sort=-${field}`);
    const values = up.data.map((monitor) => monitor[field]);
    // Names are sorted by the collation of the database, which the test cannot reproduce.
    if (field === 'statusSince') expect(values).toEqual([...values].sort());
    expect(down.data.map(({ id }) => id)).toEqual(up.data.map(({ id }) => id).reverse());
  });

  it('sorts by severity, and within it the longest in that state first', async () => {
    const team = await app.backstage.makeTeam('Severity');
    const write = app.api(team.write);
    const states: [name: string, status: string, verifying: string | null, minutes: number][] = [
      ['up', 'up', null, 90],
      ['paused', 'paused', null, 90],
      ['maintenance', 'maintenance', null, 90],
      ['pending', 'pending', null, 90],
      ['unknown', 'unknown', null, 90],
      ['degraded', 'degraded', null, 90],
      ['recovering', 'degraded', 'up', 80],
      ['failing', 'up', 'down', 10],
      ['down-short', 'down', 'up', 5],
      ['down-long', 'down', null, 60],
    ];
    for (const [name, status, verifying, minutes] of states) {
      const { id } = await createMonitor(write, httpMonitor('http://127.0.0.1:9/', { name, paused: true }));
      await app.query(
        `UPDATE monitor_states SET status = $2, verifying = $3, status_since = now() - $4 * interval '1 minute'
         WHERE monitor_id = $1`,
        [id, status, verifying, minutes],
      );
    }
    const found: string[] = [];
    let cursor = '';
    do {
      const { body } = await write.get<Page<MonitorDto>>(`/v1/monitors?sort=severity&limit=3${cursor}`);
      found.push(...body.data.map(({ name }) => name));
      cursor = body.nextCursor === null ? '' : `&cursor=${body.nextCursor}`;
    } while (cursor !== '');
    expect(found).toEqual([
      'down-long',
      'down-short',
      'failing',
      'degraded',
      'recovering',
      'unknown',
      'pending',
      'maintenance',
      'paused',
      'up',
    ]);
  });

  it.each(MONITOR_SORTS)('returns each row once over all pages by %s', async (sort) => {
    const seen: string[] = [];
    let path: string | null = `/v1/monitors?limit=1&sort=${sort}`;
    while (path !== null) {
      const { headers, body }: Awaited<ReturnType<typeof page>> = await page(path);
      seen.push(...body.data.map(({ id }) => id));
      const link = /^<(.+)>; rel="next"$/.exec(headers.get('link') ?? '');
      expect(link === null).toBe(body.nextCursor === null);
      path = link ? link[1]!.replace(app.origin, '') : null;
    }
    const { body: whole } = await api.get<Page<MonitorDto>>(`/v1/monitors?sort=${sort}`);
    expect(seen).toEqual(whole.data.map(({ id }) => id));
  });

  const page = (path: string) => api.get<Page<MonitorDto>>(path);

  it('keeps the filters in the cursor: they may be omitted or repeated, but not changed', async () => {
    const first = await page('/v1/monitors?tag=eu&limit=1');
    const next = `/v1/monitors?cursor=${first.body.nextCursor}`;
    expect((await page(next)).body.data.map(({ name }) => name)).toEqual(['alpha']);
    expect((await page(`${next}&tag=eu`)).status).toBe(200);
    const { status, body } = await api.get(`${next}&tag=prod`);
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_cursor' });
    expect(body.errors).toEqual([expect.objectContaining({ parameter: 'tag', code: 'differs_from_cursor' })]);
  });

  it.each(['', 'x', 'a.b', `${'a'.repeat(9_000)}`])('rejects the cursor %.20s', async (cursor) => {
    expect(await api.get(`/v1/monitors?cursor=${cursor}`)).toMatchObject({
      status: 400,
      body: { code: 'invalid_cursor' },
    });
  });

  it('rejects a cursor of another team or of another list', async () => {
    const { body } = await page('/v1/monitors?limit=1');
    const theirs = app.api(app.teams.theirs.read);
    for (const answer of [
      await theirs.get(`/v1/monitors?cursor=${body.nextCursor}`),
      await api.get(`/v1/status-pages?cursor=${body.nextCursor}`),
    ]) {
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_cursor' } });
    }
  });

  it('rejects a cursor of an earlier version, whose order had other columns', async () => {
    const codec = app.backstage.provider<CursorCodec>('CursorCodec');
    const scope = { teamId: app.teams.ours.id, list: 'monitors' };
    const cursor = await codec.seal(scope, { params: { sort: 'severity' }, after: ['71795000000000', randomUUID()] });
    expect(await api.get(`/v1/monitors?cursor=${cursor}`)).toMatchObject({
      status: 400,
      body: { code: 'invalid_cursor' },
    });
  });

  it.each(['?status=broken', '?type=gopher', '?sort=id', '?q=', `?q=${'x'.repeat(201)}`, '?key=a&key=b', '?page=2'])(
    'rejects %.30s',
    async (query) => {
      expect(await api.get(`/v1/monitors${query}`)).toMatchObject({ status: 400, body: { code: 'invalid_query' } });
    },
  );
});

describe('limits of every list', () => {
  const LISTS = [
    '/v1/monitors',
    '/v1/monitors/key:a/checks',
    '/v1/monitors/key:a/transitions',
    '/v1/status-pages',
    '/v1/api-keys',
  ];
  const list = (path: string) => app.api(app.teams.ours.admin).get(path);

  it.each(LISTS)('%s', async (path) => {
    for (const query of ['limit=0', 'limit=-1', 'limit=1.5', 'limit=10abc', 'limit=', 'limit=1e1', 'limit=1&limit=2']) {
      const { status, body } = await list(`${path}?${query}`);
      expect({ query, status, code: body.code }).toEqual({ query, status: 400, code: 'invalid_query' });
      expect(body.errors).toEqual([expect.objectContaining({ parameter: 'limit' })]);
    }
    for (const limit of ['1', '50', '200', '1000', '100000']) {
      expect((await list(`${path}?limit=${limit}`)).status).toBe(200);
    }
  });

  it('cap every page at 200 rows', async () => {
    const [{ id: teamId }] = [app.teams.ours];
    await app.query(
      `INSERT INTO status_pages (id, team_id, name, slug, published, access_type, timezone, history_days, theme)
       SELECT gen_random_uuid(), $1, 'page', 'page-' || n, true, 'public', 'UTC', 90, 'auto' FROM generate_series(1, 201) n`,
      [teamId],
    );
    const { body } = await api.get<Page<unknown>>('/v1/status-pages?limit=1000');
    expect(body.data).toHaveLength(200);
    const { body: rest } = await api.get<Page<unknown>>(`/v1/status-pages?cursor=${body.nextCursor}&limit=1000`);
    expect(rest).toMatchObject({ data: [expect.anything()], nextCursor: null });
  });
});
