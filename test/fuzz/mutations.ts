import fc from 'fast-check';
import { type Dice } from './dice.js';
import { MARKUP } from './marks.js';

/** Marks a token in a value that `JSON.stringify` cannot write; see `asJson`. */
const TOKEN = '\u{f0000}token:';
const TOKENS = ['1e400', '-1e400', '-0', '9007199254740993', '1E5', '0.1e-400', '1.0', '-0.0'].map(
  (one) => TOKEN + one,
);

const STRINGS: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udfff',
  '\u202e\u2066',
  '\ufeff',
  'e\u0301'.repeat(80),
  '🧟‍♀️',
  'a\r\nX-Injected: 1',
  '********',
  'undefined',
  'null',
  'true',
  '../../etc/passwd',
  "' OR 1=1 --",
  '%00',
  '${7*7}',
  MARKUP,
  `"'>${MARKUP}`,
  'javascript:alert(1)',
  '(a+)+$',
  '[[',
  '(?<=a)b',
  '$..*',
  '$[?@.a == 1]',
  '\\',
  'http://[::1',
  'http://a@127.0.0.1/',
  'http://0177.0.0.1/',
  'http://169.254.169.254/',
  'file:///etc/passwd',
  '9999-12-31T23:59:59-15:59',
  '0000-01-01T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '2026-W01-1',
  '1e3',
  '0x10',
  'key:',
  'key:key-1',
  '-'.repeat(63),
  'UTC+1',
  'constructor',
  '__proto__',
  'dw_',
  'x'.repeat(201),
  'x'.repeat(2_001),
  'x'.repeat(70_000),
  '\u{1F600}'.repeat(101),
  '\u0001\u0007\u007f',
  'İ',
  'ß',
  '①',
  '１２７．０．０．１',
];
const SCALARS: readonly unknown[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  0.5,
  5e-324,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  1e21,
  1.7e308,
  '',
  '1',
  'true',
  [],
  {},
  [[]],
  [null],
  [{}],
  { a: 1 },
  { length: 1 },
  { toString: 1 },
  ...TOKENS,
];
const NAMES: readonly string[] = [
  'teamId',
  'team_id',
  'id',
  'role',
  'status',
  'revision',
  'createdAt',
  'createdBy',
  'secret',
  'scopes',
  'nonsense',
  '',
  ' ',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '__defineGetter__',
  'a\u0000',
  '\ud800',
  'a/b~c',
  'x'.repeat(300),
  'Name',
  'NAME',
  'length',
  'then',
  'toJSON',
  '0',
  '$where',
];

const BINARY = fc.string({ unit: 'binary', maxLength: 300 });
const ANY = fc.jsonValue({ maxDepth: 3 });

const MAX_SPOTS = 2_000;
const DEEPEST_SPOT = 40;

type Path = readonly (string | number)[];
type Container = Record<string | number, unknown>;

/** Returns a copy of a value with one change. */
export function mutated(dice: Dice, original: unknown): unknown {
  const root: Container = { '': copyOf(original) };
  const spots = spotsOf(root[''], ['']);
  if (dice.chance(0.1)) {
    spoil(dice, root, spots);
    return root[''];
  }
  // Most rules concern the upper levels.
  const path = dice.chance(0.5) ? dice.pick(spots.filter(({ length }) => length <= 2)) : dice.pick(spots);
  const holder = path.slice(0, -1).reduce<Container>((node, step) => node[step] as Container, root);
  const step = path.at(-1)!;
  dice.pick(MUTATIONS)(dice, holder, step, holder[step]);
  return root[''];
}

type Mutation = (dice: Dice, holder: Container, step: string | number, value: unknown) => void;

const put = (holder: Container, step: string | number, value: unknown): void => {
  // Assigning to `__proto__` would set the prototype.
  Object.defineProperty(holder, step, { value, enumerable: true, configurable: true, writable: true });
};

const MUTATIONS: readonly Mutation[] = [
  (_, holder, step) => (Array.isArray(holder) ? holder.splice(Number(step), 1) : delete holder[step]),
  (dice, holder, step) => put(holder, step, dice.pick(SCALARS)),
  (dice, holder, step) => put(holder, step, dice.pick(STRINGS)),
  (dice, holder, step) => put(holder, step, dice.of(BINARY)),
  (dice, holder, step) => put(holder, step, dice.of(ANY)),
  (dice, holder, step, value) => put(holder, step, offByOne(dice, value)),
  (dice, holder, step, value) => put(holder, step, dice.pick([[value], [value, value], { value }, [[value]]])),
  (dice, holder, step) => put(holder, step, nested(dice, dice.pick([30, 31, 32, 33, 40, 1_000]))),
  extended,
  extended,
];

function isObject(value: unknown): value is Container {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Inserts forbidden content into an otherwise valid body. */
function spoil(dice: Dice, root: Container, spots: readonly Path[]): void {
  const path = dice.pick(spots);
  const holder = path.slice(0, -1).reduce<Container>((node, step) => node[step] as Container, root);
  const value = holder[path.at(-1)!];
  if (isObject(value)) put(value, dice.pick(['__proto__', 'constructor', 'prototype', '\u0000']), { a: 1 });
  else if (typeof value === 'string' && dice.chance(0.5)) put(holder, path.at(-1)!, `${value}\u0000`);
  else put(holder, path.at(-1)!, dice.pick(['\u0000', 'a\ud800b', '\udc00\ud800']));
}

function offByOne(dice: Dice, value: unknown): unknown {
  if (typeof value === 'number') return value + dice.pick([-1, 1, 0.5, -value, 1e9, -1e9, 86_400]);
  if (typeof value === 'boolean') return dice.pick([!value, Number(value), String(value)]);
  if (Array.isArray(value)) return Array.from({ length: dice.pick([21, 51, 201, 300]) }, () => value[0] as unknown);
  if (typeof value !== 'string') return undefined;
  const sized = (length: number): string =>
    (value || 'x').repeat(Math.ceil(length / (value.length || 1))).slice(0, length);
  return dice.pick([
    value.toUpperCase(),
    ` ${value}`,
    `${value}\n`,
    `${value}\u0000`,
    value.slice(1),
    value + value,
    `${value}/`,
    sized(51),
    sized(101),
    sized(201),
    sized(501),
    sized(2_001),
    sized(2_049),
  ]);
}

function extended(dice: Dice, holder: Container, step: string | number, value: unknown): void {
  const added = dice.pick(SCALARS);
  if (Array.isArray(value)) value.push(added);
  else if (typeof value === 'object' && value !== null) put(value as Container, dice.pick(NAMES), added);
  else put(holder, step, dice.pick(SCALARS));
}

function nested(dice: Dice, depth: number): unknown {
  const asArray = dice.chance(0.5);
  let node: unknown = 1;
  for (let level = 0; level < depth; level += 1) node = asArray ? [node] : { a: node };
  return node;
}

function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, copyOf(one)]));
}

/** Returns the paths to a value and its descendants, the outermost first, limited in number and depth. */
function spotsOf(value: unknown, path: Path, room = { left: MAX_SPOTS }): Path[] {
  room.left -= 1;
  if (typeof value !== 'object' || value === null || path.length > DEEPEST_SPOT) return [path];
  const spots: Path[] = [path];
  for (const [name, one] of Object.entries(value)) {
    if (room.left <= 0) break;
    spots.push(...spotsOf(one, [...path, name], room));
  }
  return spots;
}

/** Serialises a value to JSON, with its tokens unquoted. */
export function asJson(value: unknown): string {
  return (JSON.stringify(value) ?? '').replace(new RegExp(`"${TOKEN}([^"]*)"`, 'gu'), '$1');
}
