import { DAY_MS } from '../../src/domain/durations.js';
import { type Dice } from './dice.js';
import { type Schema } from './document.js';
import { kindOfReference, type Purpose, referenceTo } from './purpose.js';
import { type Json } from './world.js';

type Hint = (purpose: Purpose) => unknown;

const ASSERTIONS: readonly Json[] = [
  { source: 'responseTimeMs', comparison: 'lessThan', target: 500 },
  { source: 'statusCode', comparison: 'equals', target: 200 },
  { source: 'header', property: 'content-type', comparison: 'contains', target: 'text' },
  { source: 'textBody', comparison: 'matches', target: '^o[k]+$' },
  { source: 'jsonBody', property: '$.a[0].b', comparison: 'notExists' },
  { source: 'tlsDaysLeft', comparison: 'greaterThan', target: 7 },
];
const PAST = /^(from|to|startedAt|resolvedAt)$/;
const BEGINS = /^(from|startedAt)$/;
/** Members that are null for monitors of a type that does not use them. */
const FIELDS_OF_TYPES = [
  'host',
  'port',
  'url',
  'method',
  'headers',
  'secretHeaders',
  'followRedirects',
  'maxRedirects',
  'verifyTls',
  'expectedStatusCodes',
  'settings',
];

/**
 * Values for members whose schemas do not describe them sufficiently, by name. Most monitors are paused and the others
 * are rarely due, so that the load of the checker stays low.
 */
const HINTS: Readonly<Record<string, Hint>> = {
  url: ({ dice, targetOrigin, world, team }) =>
    `${dice.chance(0.8) ? targetOrigin : dice.pick(['http://127.0.0.1:9', 'http://localhost:9'])}/${world.marks.next(team, 'kept')}`,
  host: ({ dice }) => dice.pick(['127.0.0.1', 'localhost', '127.1.2.3']),
  email: ({ world, team }) => `${world.marks.next(team, 'kept')}@example.com`,
  key: ({ dice }) => (dice.chance(0.3) ? `key-${dice.below(30)}` : `k.${dice.bits().toString(36)}`),
  slug: ({ dice, world }) => {
    const taken = world.of('/v1/status-pages', null);
    return dice.chance(0.05) && taken.length > 0 ? dice.pick(taken).body.slug : `s-${dice.bits().toString(36)}`;
  },
  timezone: ({ dice }) => dice.pick(['UTC', 'Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Apia']),
  logoUrl: ({ dice }) => dice.pick(['https://example.com/logo.svg', 'http://a.example/x?y=z']),
  homepageUrl: ({ dice }) => dice.pick(['https://example.com/', 'http://a.example:8080/x']),
  location: () => 'default',
  locations: () => ['default'],
  schedule: ({ dice }) => dice.pick([{ everySeconds: 86_400 }, { cron: '0 2 * * *', timezone: 'Asia/Kathmandu' }]),
  paused: ({ dice }) => dice.chance(0.97),
  intervalSeconds: ({ dice }) => dice.pick([30, 45, 60, 3_600, 86_400]),
  action: ({ dice }) =>
    dice.chance(0.05) ? 'delete' : dice.pick(['pause', 'pause', 'resume', 'check', 'addTags', 'removeTags', 'patch']),
  ids: (purpose) => [referenceTo(purpose, '/v1/monitors'), referenceTo(purpose, '/v1/monitors')],
  quorum: ({ dice }) => dice.pick(['any', 'majority', 'all', 1]),
  expiresInSeconds: ({ dice }) => dice.pick([6, 60, 86_400]),
  overlapSeconds: ({ dice }) => dice.pick([0, 6, 60, 604_800]),
  headers: ({ dice, world, team }) =>
    Object.fromEntries(
      dice.some(
        [
          ['Accept', 'text/plain'],
          ['X-Plain', world.marks.next(team, 'kept')],
          ['X-Api-Key', world.marks.next(team, 'secret')],
          ['Cookie', `a=${world.marks.next(team, 'secret')}`],
        ],
        0.4,
      ),
    ),
  secretHeaders: ({ dice }) => dice.some(['x-plain', 'Cookie', 'X-Absent'], 0.2),
  metadata: ({ dice, world, team }) =>
    Object.fromEntries(
      dice.some(['service', 'Größe', 'toString', '日本'], 0.4).map((name) => [name, world.marks.next(team, 'kept')]),
    ),
  match: ({ dice }) => dice.pick([{ all: true }, { tags: ['production'] }, { notTags: ['staging'], types: ['http'] }]),
  on: ({ dice }) => dice.some(['manual_incident', 'down', 'degraded'], 0.7),
  steps: (purpose) =>
    [0, 300].slice(0, 1 + purpose.dice.below(2)).map((afterSeconds) => ({
      afterSeconds,
      channelIds: [referenceTo(purpose, '/v1/notification-channels')],
    })),
  assertions: ({ dice, item }) => dice.some(item?.body.type === 'http' ? ASSERTIONS : ASSERTIONS.slice(0, 1), 0.4),
};

/** Returns a value for a member with this name; `undefined` if its schema is sufficient. */
export function hinted(purpose: Purpose, name: string, schema: Schema): unknown {
  const { dice, document, item } = purpose;
  const isList = [schema.type].flat().includes('array');
  const kind = isList ? null : kindOfReference(document, name);
  if (kind !== null) return referenceTo(purpose, kind);
  if (schema.format === 'date-time') return PAST.test(name) ? pastOf(purpose, name) : timeOf(purpose);
  if (name === 'id') return dice.chance(0.5) ? (componentsOf(item)[0]?.id ?? null) : null;
  // Occasionally a value by the schema alone.
  if (!Object.hasOwn(HINTS, name) || dice.chance(0.04)) return undefined;
  return HINTS[name]!(purpose);
}

/**
 * Returns a time, usually far in the future, so that items persist, and sometimes so soon that they end while in use.
 */
function timeOf({ dice }: Purpose): string {
  const ahead = dice.weighted([
    [10, DAY_MS * (1 + dice.below(400))],
    [1, 6_000],
  ]);
  const time = new Date(Date.now() + ahead).toISOString();
  return dice.chance(0.2) ? time.replace('Z', '+00:00') : time;
}

/** Returns a time in the past, as exclusions and incidents require. Starts are before ends. */
function pastOf({ dice }: Purpose, name: string): string {
  const ago = BEGINS.test(name) ? 30 + dice.below(300) : dice.below(30);
  return new Date(Date.now() - DAY_MS * ago - 1_000).toISOString();
}

function componentsOf(item: Purpose['item']): Json[] {
  return (item?.body.components ?? []) as Json[];
}

/** Usually removes contradictions between members. */
export function mended({ dice, item }: Purpose, value: Json): Json {
  if (dice.chance(0.05)) return value;
  const drop = (name: string): void => void delete value[name];
  if ('expiresAt' in value) drop('expiresInSeconds');
  if ('until' in value) drop('durationSeconds');
  if ('components' in value) drop('monitorIds');
  if ('from' in value || 'to' in value) drop('days');
  if ('timeoutMs' in value) {
    const interval = value.intervalSeconds ?? item?.body.intervalSeconds ?? 60;
    value.timeoutMs = Math.min(Number(value.timeoutMs ?? 1_000), Number(interval) * 1_000);
  }
  if ('password' in value && !('slug' in value) && !('type' in value)) value.accessType = 'password';
  if (value.accessType === 'password') value.password ??= `right ${dice.bits().toString(36)}`;
  else if ('accessType' in value || 'slug' in value) drop('password');
  if ('select' in value) mendBulk(dice, value);
  const type = item?.body.type;
  if (type !== undefined && 'type' in value && typeof value.type === 'string') value.type = type;
  for (const name of type === undefined ? [] : FIELDS_OF_TYPES) if (item?.body[name] === null) drop(name);
  if (type === 'tcp') for (const name of ['body', 'auth']) drop(name);
  if (Array.isArray(value.components)) {
    const components = value.components as Json[];
    value.components = [...new Map(components.map((one) => [one.monitorId, one])).values()];
  }
  return value;
}

const FIELDS_OF_ACTIONS: Readonly<Record<string, readonly string[]>> = {
  pause: ['until', 'durationSeconds', 'reason'],
  addTags: ['tags'],
  removeTags: ['tags'],
  patch: ['patch'],
};

/** Leaves one selector, rarely that of all monitors, and the fields that the action uses. */
function mendBulk(dice: Dice, value: Json): void {
  const select = (value.select ?? {}) as Json;
  const given = Object.keys(select).filter((name) => name !== 'all' || dice.chance(0.1));
  const kept = given.length > 0 ? dice.pick(given) : 'ids';
  value.select = { [kept]: select[kept] ?? ['key:nobody'] };
  const used = ['action', 'select', ...(FIELDS_OF_ACTIONS[String(value.action)] ?? [])];
  for (const name of Object.keys(value)) if (!used.includes(name)) delete value[name];
  if (used.includes('tags')) value.tags ??= ['bulk'];
  if (used.includes('patch')) value.patch ??= { intervalSeconds: 3_600 };
}
