import { type Dice } from './dice.js';
import { type Operation, type Parameter } from './document.js';
import { type Purpose } from './purpose.js';
import { valueOf } from './values.js';

type Pair = [name: string, value: string];

const ODD_VALUES: readonly string[] = [
  '',
  ' ',
  '0',
  '-1',
  '1',
  '1.5',
  '10abc',
  '1e3',
  '0x10',
  '+1',
  '01',
  '201',
  '1001',
  '99999999999999999999',
  'NaN',
  'true',
  'TRUE',
  'yes',
  'null',
  'undefined',
  '[]',
  '{}',
  '\u0000',
  'a\u0000',
  '%',
  'é',
  '\u{1F600}',
  "'",
  '--',
  '\\',
  '%25',
  '_',
  'x'.repeat(51),
  'x'.repeat(101),
  'x'.repeat(201),
  'x'.repeat(3_000),
  '2026-02-30',
  '0000-01-01',
  '2026-01-01T00:00:00Z',
  '2026-01-01T00:00:00+23:59',
  '2026-01-01',
  '9999-12-31T23:59:59-15:59',
  '-createdAt,name',
];
const UNKNOWN_NAMES = [
  'nothing',
  'Limit',
  'limit[]',
  'limit[a]',
  '__proto__',
  'constructor',
  'toString',
  '',
  'access_token',
];

/** Draws a query for an operation at `path`. */
export function drawQuery(purpose: Purpose, operation: Operation, path: string, isOdd: boolean): string {
  const { dice } = purpose;
  const pairs = dice.chance(0.5) ? validPairs(purpose, operation) : [];
  const goesOn = operation.query.some(({ name }) => name === 'cursor') && dice.chance(0.2);
  const followed = goesOn ? cursorQuery(purpose, path) : null;
  if (followed !== null && !isOdd) return followed;
  if (!isOdd) return encode(pairs);
  const hasCursor = operation.query.some(({ name }) => name === 'cursor');
  return dice.pick(hasCursor ? [...ODDITIES, foreignCursor, foreignCursor] : ODDITIES)(purpose, operation, pairs, path);
}

function validPairs(purpose: Purpose, { query }: Operation): Pair[] {
  const names = query.filter(({ name }) => name !== 'cursor');
  return purpose.dice.some(names, 0.35).flatMap((one) => pairsOf(purpose, one));
}

function pairsOf(purpose: Purpose, { name, schema }: Parameter): Pair[] {
  const { dice, world, team } = purpose;
  if (name === 'limit') return [[name, String(dice.pick([1, 2, 3, 10, 50, 200, 1_000]))]];
  if (name === 'wait') return [[name, String(dice.chance(0.15))]];
  if (name === 'q' || name === 'tag') return [[name, dice.pick(['zq', 'a', '%', '_', world.marks.next(team, 'kept')])]];
  const value = valueOf(purpose, schema, name);
  return [value].flat().map((one) => [name, String(one)]);
}

/** Returns a query with a known cursor of this list, with or without its original parameters. */
function cursorQuery({ dice, world, team }: Purpose, path: string): string | null {
  const fitting = world.latestCursors.filter((one) => one.team === team && one.path === path);
  if (fitting.length === 0) return null;
  const { cursor, query } = dice.pick(fitting);
  return dice.chance(0.5) || query === '' ? encode([['cursor', cursor]]) : `${query}&${encode([['cursor', cursor]])}`;
}

type OddQuery = (purpose: Purpose, operation: Operation, pairs: Pair[], path: string) => string;

const ODDITIES: readonly OddQuery[] = [
  ({ dice }, { query }, pairs) => encode([...pairs, [nameOf(dice, query), dice.pick(ODD_VALUES)]]),
  ({ dice }, { query }, pairs) => encode([...pairs, [nameOf(dice, query), dice.pick(ODD_VALUES)]]),
  ({ dice }, _, pairs) => encode([...pairs, [dice.pick(UNKNOWN_NAMES), dice.pick(ODD_VALUES)]]),
  (_, __, pairs) => encode([...pairs, ...pairs, ...pairs]),
  ({ dice }, { query }) => encode([0, 1].map(() => [nameOf(dice, query), dice.pick(ODD_VALUES)])),
  ({ dice }, { query }) => encode(Array.from({ length: dice.pick([51, 1_100]) }, () => [nameOf(dice, query), 'a'])),
  foreignCursor,
  foreignCursor,
  ({ dice }) =>
    dice.pick(['%', '&&&', '=', '=&=', 'limit', 'limit=%FF', '%FF=1', 'limit=1%', '?', 'a=b=c', '%00=1', '+']),
];

/** Returns a query with a cursor of another team or list, a changed one, or garbage. */
function foreignCursor({ dice, world, team }: Purpose, _: Operation, pairs: Pair[], path: string): string {
  const known = world.latestCursors;
  const others = known.filter((one) => one.team !== team && one.path === path);
  if (others.length > 0 && dice.chance(0.4)) return encode([['cursor', dice.pick(others).cursor]]);
  const made = known.length > 0 ? dice.pick(known).cursor : 'W3t9LFtdXQ.x';
  if (dice.chance(0.3)) return encode([['cursor', made]]);
  const [payload = '', signature = ''] = made.split('.');
  const cursor = dice.pick([
    made,
    made,
    made,
    payload,
    `${payload}.`,
    `.${signature}`,
    `${made}.a`,
    made.toUpperCase(),
    made.slice(0, -1),
    `${made}A`,
    `W3t9LFtdXQ.${signature}`,
    'null',
    '',
    'x'.repeat(9_000),
    '\u0000',
    `${payload}.${'é'.repeat(43)}`,
  ]);
  return encode([...pairs, ['cursor', cursor]]);
}

function nameOf(dice: Dice, query: readonly Parameter[]): string {
  return query.length === 0 ? dice.pick(UNKNOWN_NAMES) : dice.pick(query).name;
}

function encode(pairs: readonly (readonly [string, string])[]): string {
  return pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
}
