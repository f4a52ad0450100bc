import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Page } from '../src/http/lists/page.js';
import { type Problem } from '../src/http/problems/problem.js';
import { type MonitorDependenciesService } from '../src/modules/monitors/definition/monitor-dependencies.service.js';
import { type MonitorDto } from '../src/modules/monitors/dto/monitor.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type Client } from './support/client.js';
import { eventually } from './support/eventually.js';
import { createMonitor, getMonitor, httpMonitor } from './support/monitors.js';

const NOBODY = '0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c55';
type Definition = Record<string, unknown>;

let app: TestApp;
let api: Client;
let theirs: Client;
beforeAll(async () => {
  app = await sharedApp();
  api = app.api(app.teams.ours.write);
  theirs = app.api(app.teams.theirs.write);
});
afterAll(() => app.close());

const paused = (more: Definition = {}): Definition => httpMonitor('http://127.0.0.1:9/', { paused: true, ...more });
const create = (more: Definition = {}, as = api): Promise<MonitorDto> => createMonitor(as, paused(more));
const withKey = (): Promise<MonitorDto> => create({ key: `key-${randomUUID()}` });
const address = ({ key }: MonitorDto): string => `key:${key as string}`;
const patch = (id: string, parentIds: unknown) => api.patch<MonitorDto>(`/v1/monitors/${id}`, { parentIds });
const parentsOf = async (id: string): Promise<unknown> => (await getMonitor(api, id)).parentIds;
async function definitionOf(id: string): Promise<Definition> {
  return (await api.get<Definition>(`/v1/monitors/${id}/definition`)).body;
}

function refusal({ status, body }: { status: number; body: unknown }): unknown {
  const errors = (body as Problem).errors?.map(({ pointer, code }) => `${pointer} ${code}`);
  return { status, errors };
}
const refused = (...errors: string[]): unknown => ({ status: 422, errors });

/** Returns the monitors with a parent that does not exist in their team. */
async function dangling(): Promise<unknown[]> {
  return app.query(`SELECT m.id FROM monitors m CROSS JOIN unnest(m.parent_ids) AS parent
                    WHERE NOT EXISTS (SELECT 1 FROM monitors p WHERE p.id = parent AND p.team_id = m.team_id)`);
}

describe('parentIds', () => {
  it('default to none, accept ids and keys, and are returned as ids in the same order', async () => {
    const [first, second] = [await withKey(), await create()];
    expect(first.parentIds).toEqual([]);
    const child = await create({ parentIds: [second.id.toUpperCase(), address(first)] });
    expect(child.parentIds).toEqual([second.id, first.id]);
    expect(await parentsOf(child.id)).toEqual([second.id, first.id]);
    expect((await definitionOf(child.id)).parentIds).toEqual([second.id, address(first)]);
  });

  it('are replaced by a PATCH that contains them, cleared by null, and otherwise kept', async () => {
    const [first, second, child] = [await withKey(), await withKey(), await create()];
    expect((await patch(child.id, [address(first)])).body).toMatchObject({ parentIds: [first.id], revision: 2 });
    expect((await patch(child.id, [second.id])).body.parentIds).toEqual([second.id]);
    expect((await api.patch<MonitorDto>(`/v1/monitors/${child.id}`, { name: 'Renamed' })).body.parentIds).toEqual([
      second.id,
    ]);
    expect((await patch(child.id, null)).body.parentIds).toEqual([]);
  });

  it('are replaced by every PUT, and cleared if it omits them', async () => {
    const [parent, child] = [await withKey(), await withKey()];
    const path = `/v1/monitors/${address(child)}`;
    expect((await api.put<MonitorDto>(path, paused({ parentIds: [address(parent)] }))).body.parentIds).toEqual([
      parent.id,
    ]);
    const made = await api.put<MonitorDto>(`/v1/monitors/key:${randomUUID()}`, paused({ parentIds: [parent.id] }));
    expect({ status: made.status, parentIds: made.body.parentIds }).toEqual({ status: 201, parentIds: [parent.id] });
    expect((await api.put<MonitorDto>(path, paused())).body.parentIds).toEqual([]);
    expect((await api.put<MonitorDto>(path, paused({ parentIds: null }))).body.parentIds).toEqual([]);
  });

  it('can be written back as returned by GET', async () => {
    const [parent, child] = [await withKey(), await withKey()];
    await patch(child.id, [parent.id]);
    const definition = await definitionOf(child.id);
    const { status, body } = await api.put<MonitorDto>(`/v1/monitors/${child.id}`, definition);
    expect({ status, parentIds: body.parentIds }).toEqual({ status: 200, parentIds: [parent.id] });
  });

  it.each<[string, () => Promise<unknown>, string[]]>([
    ['an unknown id', async () => [(await create()).id, NOBODY], ['/parentIds/1 invalid_value']],
    ['an unknown key', () => Promise.resolve(['key:nobody']), ['/parentIds/0 invalid_value']],
    [
      'invalid addresses',
      () => Promise.resolve(['', 'x']),
      ['/parentIds/0 invalid_value', '/parentIds/1 invalid_value'],
    ],
    ["another team's id", async () => [(await create({}, theirs)).id], ['/parentIds/0 invalid_value']],
    [
      "another team's key",
      async () => [address(await create({ key: `key-${randomUUID()}` }, theirs))],
      ['/parentIds/0 invalid_value'],
    ],
    [
      'a duplicate in any notation',
      async () => {
        const one = await withKey();
        return [one.id, address(one), one.id.toUpperCase()];
      },
      ['/parentIds/1 duplicate', '/parentIds/2 duplicate'],
    ],
    ['more than 20', () => Promise.resolve(Array.from({ length: 21 }, () => NOBODY)), ['/parentIds too_long']],
    ['a number', () => Promise.resolve([5]), ['/parentIds/0 invalid_type']],
    ['a string instead of a list', () => Promise.resolve('key:nobody'), ['/parentIds invalid_type']],
  ])('are rejected with %s, without changes', async (_, parentIds, errors) => {
    const sent = await parentIds();
    const child = await create();
    const key = randomUUID();
    expect(refusal(await patch(child.id, sent))).toEqual(refused(...errors));
    expect(refusal(await api.put(`/v1/monitors/${child.id}`, paused({ parentIds: sent })))).toEqual(refused(...errors));
    expect(refusal(await api.post('/v1/monitors', paused({ key, parentIds: sent })))).toEqual(refused(...errors));
    expect(await getMonitor(api, child.id)).toEqual(child);
    expect((await api.get(`/v1/monitors/key:${key}`)).status).toBe(404);
  });

  it('cannot form a cycle, directly or through other monitors', async () => {
    const [a, b, c] = [await withKey(), await withKey(), await withKey()];
    expect(refusal(await patch(a.id, [b.id, address(a)]))).toEqual(refused('/parentIds/1 invalid_value'));
    const key = `key-${randomUUID()}`;
    const own = await api.put(`/v1/monitors/key:${key}`, paused({ parentIds: [`key:${key}`] }));
    expect(refusal(own)).toEqual(refused('/parentIds/0 invalid_value'));
    expect((await patch(a.id, [b.id])).status).toBe(200);
    expect((await patch(b.id, [c.id])).status).toBe(200);
    const other = await create();
    expect(refusal(await patch(c.id, [other.id, address(a)]))).toEqual(refused('/parentIds/1 invalid_value'));
    expect(refusal(await api.put(`/v1/monitors/${address(b)}`, paused({ parentIds: [a.id] })))).toEqual(
      refused('/parentIds/0 invalid_value'),
    );
    // A diamond is not a cycle.
    expect((await patch(a.id, [b.id, c.id])).status).toBe(200);
  });

  it('cannot form a cycle by concurrent writes', async () => {
    for (let round = 0; round < 15; round += 1) {
      const [a, b, c] = await Promise.all([create(), create(), create()]);
      const answers = await Promise.all([patch(a.id, [b.id]), patch(b.id, [c.id]), patch(c.id, [a.id])]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 422]);
      const pair = await Promise.all([create(), create()]);
      const two = await Promise.all([patch(pair[0].id, [pair[1].id]), patch(pair[1].id, [pair[0].id])]);
      expect(two.map(({ status }) => status).sort()).toEqual([200, 422]);
    }
  }, 60_000);

  it('are validated only syntactically by POST /monitors/test', async () => {
    const { status } = await api.post('/v1/monitors/test', paused({ parentIds: ['key:nobody'], timeoutMs: 100 }));
    expect(status).toBe(200);
    expect(refusal(await api.post('/v1/monitors/test', paused({ parentIds: [5] })))).toEqual(
      refused('/parentIds/0 invalid_type'),
    );
  });
});

describe('a parent that is deleted', () => {
  it('is removed from its children, which changes their ETag but not their revision', async () => {
    const [first, second, third] = [await withKey(), await withKey(), await withKey()];
    const child = await create({ parentIds: [first.id, second.id, third.id] });
    const before = await api.get<MonitorDto>(`/v1/monitors/${child.id}`);
    expect((await api.delete(`/v1/monitors/${second.id}`)).status).toBe(204);
    const after = await api.get<MonitorDto>(`/v1/monitors/${child.id}`);
    expect(after.body).toEqual({ ...before.body, parentIds: [first.id, third.id] });
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
    expect((await definitionOf(child.id)).parentIds).toEqual([address(first), address(third)]);
  });

  it('is also removed from its children when it expires', async () => {
    const parent = await create({ expiresInSeconds: 1 });
    const child = await create({ parentIds: [parent.id] });
    await eventually(async () => expect((await api.get(`/v1/monitors/${parent.id}`)).status).toBe(404));
    expect(await getMonitor(api, child.id)).toEqual({ ...child, parentIds: [] });
  });

  it('is not left as a parent by a concurrent write', async () => {
    for (let round = 0; round < 20; round += 1) {
      const [parent, other, child] = await Promise.all([create(), create(), create()]);
      await patch(child.id, [parent.id]);
      const [naming, keeping, deletion, second] = await Promise.all([
        patch(other.id, [parent.id]),
        api.patch(`/v1/monitors/${child.id}`, { name: `Round ${round}` }),
        api.delete(`/v1/monitors/${parent.id}`),
        api.post<MonitorDto>('/v1/monitors', paused({ parentIds: [parent.id] })),
      ]);
      expect([200, 422]).toContain(naming.status);
      expect([201, 422]).toContain(second.status);
      expect([keeping.status, deletion.status]).toEqual([200, 204]);
      expect(await dangling()).toEqual([]);
    }
  }, 60_000);

  it('can be deleted concurrently with its parents and children', async () => {
    for (let round = 0; round < 10; round += 1) {
      const top = await create();
      const middle = await Promise.all(Array.from({ length: 4 }, () => create({ parentIds: [top.id] })));
      const ids = middle.map(({ id }) => id);
      const low = await Promise.all(Array.from({ length: 4 }, () => create({ parentIds: ids })));
      const gone = [top.id, ...ids, low[0]!.id];
      const answers = await Promise.all(gone.map((id) => api.delete(`/v1/monitors/${id}`)));
      expect(answers.map(({ status }) => status)).toEqual(gone.map(() => 204));
      expect(await parentsOf(low[1]!.id)).toEqual([]);
    }
    expect(await dangling()).toEqual([]);
  }, 60_000);
});

describe('an export', () => {
  it('can be put into another team, parents first', async () => {
    const prefix = `export-${randomUUID()}`;
    const router = await create({ key: `${prefix}.router`, tags: [prefix] });
    await create({ key: `${prefix}.shop`, tags: [prefix], parentIds: [router.id] });
    const { body } = await api.get<Page<Definition>>(
      `/v1/definitions/monitors?sort=createdAt&tag=${encodeURIComponent(prefix)}`,
    );
    expect(body.data.map(({ parentIds }) => parentIds)).toEqual([[], [`key:${prefix}.router`]]);
    const made: MonitorDto[] = [];
    for (const definition of body.data) {
      const answer = await theirs.put<MonitorDto>(`/v1/monitors/key:${String(definition.key)}`, definition);
      expect(answer.status).toBe(201);
      made.push(answer.body);
    }
    expect(made[1]!.parentIds).toEqual([made[0]!.id]);
    expect(made[0]!.id).not.toBe(router.id);
    const back = await theirs.get<Page<Definition>>(`/v1/definitions/monitors?sort=createdAt&tag=${prefix}`);
    expect(back.body.data).toEqual(body.data);
  });
});

describe('MonitorDependenciesService', () => {
  it('returns the direct parents and children of monitors', async () => {
    const [a, b] = [await create(), await create()];
    const c = await create({ parentIds: [b.id, a.id] });
    const d = await create({ parentIds: [a.id] });
    const e = await create({ parentIds: [c.id] });
    const around = (...ids: string[]) =>
      app.backstage.inTransaction<MonitorDependenciesService>('MonitorDependenciesService').around(ids);
    expect(await around(a.id, c.id)).toEqual({
      parents: new Map([[c.id, [a.id, b.id]]]),
      children: new Map([
        [a.id, [c.id, d.id]],
        [c.id, [e.id]],
      ]),
    });
    expect(await around(e.id)).toEqual({ parents: new Map([[e.id, [c.id]]]), children: new Map() });
    expect(await around()).toEqual({ parents: new Map(), children: new Map() });
  });
});
