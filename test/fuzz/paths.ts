import fc from 'fast-check';
import { type Dice } from './dice.js';
import { isShared, type Operation } from './document.js';
import { type Purpose } from './purpose.js';
import { type Item, type Json } from './world.js';

export interface DrawnPath {
  text: string;
  /** The item at the path, if there is one. */
  item: Item | null;
}

/** The address of the one location of the tested service. */
export const SHARED_ADDRESS = 'key:default';

const UUIDS = fc.uuid();
const TEXTS = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' });

/** Values of a variable that identify nothing, or that are hard to parse. */
const NAMELESS: readonly ((dice: Dice) => string)[] = [
  (dice) => dice.pick([':id', '{id}', 'undefined', 'null', '0', '-1', '%20', '*', '%2a', 'self', 'test', '_', '~']),
  (dice) =>
    dice.pick(['key:', 'key:nobody', 'key:%00', 'key:%2F', 'KEY:key-1', 'key:key:key-1', 'key%3Akey-1', 'key:%FF']),
  (dice) => dice.pick(['%', '%0', '%GG', '%FF', '%C3%28', '%00', 'a%00b', '%ED%A0%80', '%E2%82', '%252e', '%u0041']),
  (dice) => dice.pick(['..%2f..', '%2e%2e', '..;', '%5c', '%2F', ';a=b', 'a;b', '[]', '%0d%0aX:1', '%F0%9F%A7%9F']),
  (dice) => 'x'.repeat(dice.pick([64, 101, 3_000, 12_000])),
  (dice) => `key:${'k'.repeat(dice.pick([99, 100, 101, 3_000]))}`,
  (dice) => dice.of(UUIDS),
  (dice) => dice.of(UUIDS).replaceAll('-', ''),
  (dice) => `{${dice.of(UUIDS)}}`,
  (dice) => `${dice.of(UUIDS)}%20`,
  (dice) => encodeURIComponent(dice.of(TEXTS)),
];

/** Changes to a whole path. */
const ROUTES: readonly ((path: string) => string)[] = [
  (path) => `${path}/`,
  (path) => path.toUpperCase(),
  (path) => path.replace('/v1', '/v2'),
  (path) => path.replace('/v1', '/V1'),
  (path) => path.replace('/v1/', '/v1//'),
  (path) => `/${path}`,
  (path) => path.replace('/v1/', '/v1/./'),
  (path) => path.replace('/v1/', '/x/../v1/'),
  (path) => `${path}/nothing`,
  (path) => `${path}%2fnothing`,
  (path) => `${path};a=b`,
  (path) => `${path}#a`,
  (path) => path.replace('/', '/%76'),
  (path) => path.slice(0, -1),
  () => '/v1',
  () => '/',
  () => '*',
  () => '/docs/nothing',
  () => '/status/_/nothing.css',
];

/** Draws a path for an operation. Usually its variables identify items of the team. */
export function drawPath(purpose: Purpose, operation: Operation, isOdd: boolean, isOddRoute: boolean): DrawnPath {
  const { dice } = purpose;
  let item: Item | null = null;
  let text = operation.template;
  const childKind = operation.variables[1]?.kind ?? null;
  const shows = shownOf(purpose, childKind);
  for (const [index, { name, kind }] of operation.variables.entries()) {
    const makes = operation.method === 'PUT' && dice.chance(0.3);
    const own = (): DrawnPath =>
      makes ? { text: `key:k.${dice.bits().toString(36)}`, item } : ownValue(purpose, kind, childKind);
    const first = (): DrawnPath => (name === 'slug' ? slugOf(purpose, shows) : own());
    const ordinary = (): DrawnPath => (index === 0 ? first() : childValue(purpose, item, kind, shows));
    const drawn: DrawnPath = isOdd ? oddValue(purpose, kind) : ordinary();
    if (index === 0) item = drawn.item;
    text = text.replace(`{${name}}`, () => drawn.text);
  }
  // The client cannot send a fragment.
  if (isOddRoute && dice.chance(0.5)) text = dice.pick(ROUTES)(text);
  return { text: text.replaceAll('#', '%23'), item };
}

/** Draws an item of the team, usually one that has children of a kind if the path goes on to one. */
function ownValue(purpose: Purpose, kind: string, childKind: string | null): DrawnPath {
  const { dice, world, team } = purpose;
  if (isShared(kind)) return { text: SHARED_ADDRESS, item: null };
  const all = world.of(kind, team).filter(({ isRoot }) => !isRoot);
  const parents = childKind === null ? [] : all.filter(({ children }) => children.get(childKind)?.length);
  const items = parents.length > 0 && dice.chance(0.8) ? parents : all;
  if (items.length === 0) return { text: dice.of(UUIDS), item: null };
  // Most state changes concern the newest items.
  const item = dice.chance(0.5) ? items.at(-1 - dice.below(Math.min(items.length, 4)))! : dice.pick(items);
  const { key } = item.body;
  return { text: typeof key === 'string' && dice.chance(0.3) ? `key:${key}` : item.id, item };
}

/** Returns the ids of what a page shows of a kind. */
type Shown = (page: Item) => string[];

/** Returns what pages show of the kind that follows the slug in the path: nothing, incidents, or components. */
function shownOf({ world }: Purpose, kind: string | null): Shown | null {
  if (kind === null) return null;
  const idsOf = (list: unknown): string[] => ((list ?? []) as Json[]).map(({ id }) => String(id));
  if (!kind.endsWith('/incidents')) return ({ body }) => idsOf(body.components);
  return ({ team, body }) => {
    const monitors = new Set(((body.components ?? []) as Json[]).map(({ monitorId }) => monitorId));
    return world
      .of('/v1/incidents', team)
      .filter((one) => ((one.body.monitorIds ?? []) as unknown[]).some((id) => monitors.has(id)))
      .map(({ id }) => id);
  };
}

function slugOf({ dice, world }: Purpose, shows: Shown | null): DrawnPath {
  const all = world.of('/v1/status-pages', null);
  const pages = all.filter((one) => !shows || shows(one).length > 0);
  if (pages.length === 0) return { text: 'nothing', item: null };
  const item = dice.pick(pages);
  return { text: String(item.body.slug), item };
}

function childValue({ dice }: Purpose, item: Item | null, kind: string, shows: Shown | null): DrawnPath {
  const children = item?.children.get(kind) ?? (item && shows?.(item)) ?? [];
  return { text: children.length > 0 ? dice.pick(children) : 'bWZ1c2o0aTAuMC5kZWZhdWx0', item };
}

/** Draws an item of the other team, a deleted one, one of another kind, or a value that identifies nothing. */
function oddValue(purpose: Purpose, kind: string): DrawnPath {
  const { dice, world, team } = purpose;
  const other = team === 'ours' ? 'theirs' : 'ours';
  const from = dice.weighted([
    [8, world.of(kind, other)],
    [2, world.of(kind, team, 'gone')],
    [1, [...world.items.values()].filter((one) => one.kind !== kind && !one.isRoot)],
    [1, world.of(kind, team).filter(({ isRoot }) => !isRoot)],
    [6, []],
  ]);
  if (from.length === 0) return { text: dice.pick(NAMELESS)(dice), item: null };
  const item = dice.pick(from);
  const { key } = item.body;
  if (typeof key === 'string' && dice.chance(0.3)) return { text: `key:${key}`, item };
  const forms = [
    item.id,
    item.id,
    item.id,
    item.id,
    item.id,
    item.id.toUpperCase(),
    `${item.id}%20`,
    item.id.replaceAll('-', ''),
    `id:${item.id}`,
  ];
  return { text: dice.pick(forms), item };
}
