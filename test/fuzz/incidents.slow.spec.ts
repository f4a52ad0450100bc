import { beforeEach, describe, expect, it } from '@jest/globals';
import { type OpenAPIObject } from '@nestjs/swagger';
import { Contract } from '../support/openapi.js';
import { ApiDocument } from './document.js';
import { type FuzzRequest } from './exchange.js';
import { learn } from './learn.js';
import { TEAM_NAMES } from './marks.js';
import { notePublished } from './published.js';
import { readRequest } from './reading.js';
import { Reconciler } from './reconcile.js';
import { type Setting } from './verdict.js';
import { type Json, World } from './world.js';

const INCIDENTS = '/v1/incidents';
const MONITORS = '/v1/monitors';
const WINDOWS = '/v1/maintenance-windows';
const ID = '0198c9a4-0000-7000-8000-000000000001';
const OTHER = '0198c9a4-0000-7000-8000-000000000002';
const NEW = '0198c9a4-0000-7000-8000-000000000003';

const operation = { security: [{ bearer: ['read'] }], responses: { 200: {}, 201: {} } };
const DOCUMENT = {
  paths: {
    [INCIDENTS]: { get: operation, post: operation },
    [`${INCIDENTS}/{id}`]: { get: operation },
    [`${INCIDENTS}/{id}/updates`]: { post: operation },
    [WINDOWS]: { post: operation },
    [`${WINDOWS}/{id}`]: { put: operation, patch: operation },
    [`${MONITORS}/{id}`]: { get: operation, delete: operation },
    [`${MONITORS}/{id}/drill`]: { post: operation },
  },
} as unknown as OpenAPIObject;

const INCIDENT = { id: ID, kind: 'manual', title: 'a', monitorIds: ['kept', 'deleted'], resolvedAt: null, revision: 1 };

let world: World;
let document: ApiDocument;
beforeEach(() => {
  world = new World(1);
  document = new ApiDocument(DOCUMENT);
  for (const team of TEAM_NAMES) {
    const key = world.add('/v1/api-keys', team, { id: `key of ${team}`, scopes: ['admin'] });
    key.isRoot = true;
    world.addSecret(team, key);
  }
  for (const id of ['kept', 'deleted']) world.add(MONITORS, 'ours', { id });
  world.add(MONITORS, 'theirs', { id: 'theirs' });
});

function setting(method: string, target: string, body: Json | null = null): Setting {
  const headers = [
    ['Authorization', 'Bearer ours'],
    ['Content-Type', 'application/json'],
  ] as const;
  const request: FuzzRequest = { method, target, headers, body: body && Buffer.from(JSON.stringify(body)) };
  const span = { from: Date.now(), to: Date.now() };
  const contract = new Contract(DOCUMENT);
  return { world, document, contract, number: 1, span, reading: readRequest(document, world, request) };
}

const answered = (status: number, body: Json) => ({ status, headers: {}, text: '', body });

/** Returns the faults found if the service lists these incidents of our team. */
async function wrongWith(...data: Json[]): Promise<string> {
  const listed = (headers: FuzzRequest['headers']) => (headers[0]![1] === 'Bearer ours' ? data : []);
  const reconciler = new Reconciler(world, document, ({ headers }) =>
    Promise.resolve(answered(200, { data: listed(headers), nextCursor: null })),
  );
  return (await reconciler.reconcile()).map(({ detail }) => detail.split('\n')[0]).join();
}

describe('the model of incidents', () => {
  it('treats the response of an action that returns the item as a change of the item', async () => {
    world.add(INCIDENTS, 'ours', INCIDENT);
    const told = { ...INCIDENT, revision: 2, updates: [{ text: 'b' }] };
    const action = setting('POST', `${INCIDENTS}/${ID}/updates`, { text: 'b' });
    expect(learn(action, answered(201, told))).toEqual([]);
    expect(await wrongWith(told)).toBe('');
    expect(await wrongWith({ ...told, updates: [] })).toContain(`updates of ${ID}`);
  });

  it('learns a drill as an incident, although the path names a monitor', async () => {
    const drill = { ...INCIDENT, kind: 'drill', monitorIds: [OTHER] };
    world.add(MONITORS, 'ours', { id: OTHER });
    expect(learn(setting('POST', `${MONITORS}/${OTHER}/drill`), answered(201, drill))).toEqual([]);
    expect(world.items.get(ID)).toMatchObject({ kind: INCIDENTS, team: 'ours' });
    expect(await wrongWith(drill)).toBe('');
  });

  it('detects an action that changes the item but not its revision', () => {
    world.add(INCIDENTS, 'ours', INCIDENT);
    const action = setting('POST', `${INCIDENTS}/${ID}/updates`, { text: 'b' });
    expect(learn(action, answered(201, { ...INCIDENT, title: 'b' }))).toMatchObject([
      { rule: 'model', detail: expect.stringContaining('title') },
    ]);
  });

  it.each<[string, string[], string]>([
    ['accepts an incident that names the other monitors', ['kept'], ''],
    ['detects an incident that still names the monitor', ['kept', 'deleted'], `monitorIds of ${ID}`],
    ['detects an incident that has lost another monitor', [], `monitorIds of ${ID}`],
  ])('after the deletion of a monitor, %s', async (_, monitorIds, wrong) => {
    world.add(INCIDENTS, 'ours', INCIDENT);
    world.items.get('deleted')!.life = 'gone';
    const faults = await wrongWith({ ...INCIDENT, monitorIds });
    expect(faults).toEqual(wrong === '' ? '' : expect.stringContaining(wrong));
  });

  it.each<[string, Json, string]>([
    ['accepts a detected one', { kind: 'detected', monitorIds: ['kept'] }, ''],
    ['detects a manual one', { kind: 'manual', monitorIds: ['kept'] }, `${NEW} is unexpected`],
    ["detects one of the other team's monitor", { kind: 'detected', monitorIds: ['theirs'] }, `${NEW} is unexpected`],
    ['detects an unknown write', { kind: 'detected', monitorIds: ['kept'], revision: 2 }, `${NEW} is unexpected`],
  ])('of new incidents, %s', async (_, more, wrong) => {
    const faults = await wrongWith({ ...INCIDENT, id: NEW, ...more });
    expect(faults).toEqual(wrong === '' ? '' : expect.stringContaining(wrong));
  });

  it.each<[string, Json, string]>([
    ['detected', { resolvedAt: 'now' }, ''],
    ['detected', { title: 'b' }, `title of ${ID}`],
    ['drill', { resolvedAt: 'now', endsAt: null }, ''],
    ['drill', { title: 'b' }, `title of ${ID}`],
    ['manual', { resolvedAt: 'now' }, `resolvedAt of ${ID}`],
  ])('handles a %s incident that changes to %j', async (kind, more, wrong) => {
    const body = { ...INCIDENT, kind };
    world.add(INCIDENTS, 'ours', body);
    const faults = await wrongWith({ ...body, ...more });
    expect(faults).toEqual(wrong === '' ? '' : expect.stringContaining(wrong));
  });
});

describe('notePublished', () => {
  it.each<[Json, boolean]>([
    [{ public: true }, true],
    [{ public: false, phase: 'identified' }, false],
    [{ phase: 'identified' }, true],
    [{ phase: 'note' }, false],
    [{ phase: null, public: null }, false],
    [{}, false],
  ])('publishes the text of an incident update with %j: %s', (more, isShown) => {
    const text = world.marks.next('ours', 'kept');
    const isLeak = (): boolean => world.marks.leaks(text, null, () => '').length > 0;
    expect(isLeak()).toBe(true);
    notePublished(world, 1, setting('POST', `${INCIDENTS}/${ID}/updates`, { text, ...more }).reading);
    expect(isLeak()).toBe(!isShown);
    expect(world.marks.leaks(text, 'theirs', () => '')).toHaveLength(1);
    const first = world.marks.next('ours', 'kept');
    notePublished(world, 1, setting('POST', INCIDENTS, { title: OTHER, update: { text: first, ...more } }).reading);
    expect(world.marks.leaks(first, null, () => '')).toHaveLength(isShown ? 0 : 1);
  });

  it.each<[string, Json, Json, boolean]>([
    ['POST', {}, {}, true],
    ['POST', {}, { public: null }, true],
    ['POST', {}, { public: false }, false],
    ['PATCH', { public: true }, {}, true],
    ['PATCH', { public: false }, {}, false],
    ['PATCH', { public: false }, { public: true }, true],
    ['PUT', { public: false }, {}, true],
  ])('for a %s of a maintenance window with %j, publishes its texts with %j: %s', (method, before, more, isShown) => {
    const [name, description] = [world.marks.next('ours', 'kept'), world.marks.next('ours', 'kept')];
    world.add(WINDOWS, 'ours', { id: ID, description, ...before });
    const target = method === 'POST' ? WINDOWS : `${WINDOWS}/${ID}`;
    notePublished(world, 1, setting(method, target, { name, ...more }).reading);
    const isLeak = (text: string): boolean => world.marks.leaks(text, null, () => '').length > 0;
    expect(isLeak(name)).toBe(!isShown);
    if (method !== 'POST') expect([isLeak(description), isLeak(ID)]).toEqual([!isShown, !isShown]);
  });
});
