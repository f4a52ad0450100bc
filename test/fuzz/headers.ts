import { type Operation } from './document.js';
import { TEAM_NAMES } from './marks.js';
import { type Purpose } from './purpose.js';

type Pair = [name: string, value: string];

const GARBAGE = [
  '',
  ' ',
  '*',
  '"',
  'W/',
  '"a',
  '""',
  'é',
  '\u00ff',
  '\t',
  ',',
  ';',
  '{}',
  'x'.repeat(3_000),
  '%00',
  '-1',
  '0',
];

/** Draws headers other than credentials and those that describe the body. */
export function drawHeaders(purpose: Purpose, operation: Operation, isOdd: boolean): Pair[] {
  const { dice } = purpose;
  const ordinary: Pair[] = dice.chance(0.05) ? [['X-Request-Id', `fuzz.${dice.bits().toString(36)}`]] : [];
  const documented = [...operation.headers].filter(() => dice.chance(isOdd ? 0.7 : 0.3));
  const drawn = documented.flatMap((name) => documentedHeader(purpose, name, isOdd));
  return [...ordinary, ...drawn, ...(isOdd ? dice.some(ODDITIES, 0.12).flatMap((one) => one(purpose)) : [])];
}

/** Draws a documented header: a condition with a known entity tag, or an idempotency key. */
function documentedHeader(purpose: Purpose, name: string, isOdd: boolean): Pair[] {
  const { dice } = purpose;
  if (isOdd && dice.chance(0.4)) return [[name, dice.pick(GARBAGE)]];
  if (name === 'idempotency-key') return [[name, idempotencyKey(purpose, isOdd)]];
  if (name === 'if-match' || name === 'if-none-match') return [[name, tag(purpose, isOdd)]];
  return [[name, dice.pick(GARBAGE)]];
}

function idempotencyKey({ dice, world }: Purpose, isOdd: boolean): string {
  if (!isOdd) return `retry-${dice.bits().toString(36)}`;
  const known = world.kept.of(dice.pick(TEAM_NAMES)).map(({ key }) => key);
  return dice.pick([
    known.length > 0 ? dice.pick(known) : 'retry',
    'x'.repeat(255),
    'x'.repeat(256),
    'a b',
    'é',
    '\t',
    'a,b',
    '"a"',
  ]);
}

function tag({ dice, item, world }: Purpose, isOdd: boolean): string {
  const known = item?.tags ?? [];
  const newest = known.at(-1) ?? '"1.0"';
  if (!isOdd) return dice.chance(0.8) ? newest : dice.pick([...known, '*', newest]);
  const others = [...world.items.values()].flatMap(({ tags }) => tags);
  return dice.pick([
    `W/${newest}`,
    newest.replaceAll('"', ''),
    `${newest}, "9.9"`,
    `"0.0",${newest}`,
    `"0.0" ${newest}`,
    '"0.0"',
    '*',
    `*, ${newest}`,
    newest.replace('.', '.9'),
    newest.replace('"', '"0'),
    '"99999999999999999999.1"',
    '"-1.1"',
    '"1e0.1"',
    others.length > 0 ? dice.pick(others) : '"2.2"',
    known[0] ?? '"1.1"',
    `${'"1.1",'.repeat(500)}"1.2"`,
  ]);
}

const ODDITIES: readonly ((purpose: Purpose) => Pair[])[] = [
  ({ dice }) => [['X-Request-Id', dice.pick([...GARBAGE, 'a b', 'a/b', 'x'.repeat(128), 'x'.repeat(129), '<b>', "'"])]],
  () => [
    ['X-Request-Id', 'one'],
    ['X-Request-Id', 'two'],
  ],
  ({ dice }) => [['Accept', dice.pick(['text/html', 'application/xml', 'text/csv', '*/*;q=0', 'image/png', 'x', ''])]],
  ({ dice }) => [['Accept-Encoding', dice.pick(['gzip', 'br', 'identity;q=0', '*;q=0', 'x'])]],
  ({ dice }) => [
    ['Host', dice.pick(['', 'a.example', 'a b', '[::1]:1', '127.0.0.1:99999', '"><b>', '@', 'a/../b', 'a%00'])],
  ],
  ({ dice }) => [['X-Forwarded-For', dice.pick(['1.2.3.4', '::1, 1.2.3.4', GARBAGE[12]!])]],
  () => [
    ['X-Forwarded-Proto', 'javascript'],
    ['X-Forwarded-Host', 'evil.example'],
  ],
  ({ dice }) => [['X-HTTP-Method-Override', dice.pick(['DELETE', 'PATCH'])]],
  ({ dice }) => [['Expect', dice.pick(['100-continue', 'x'])]],
  ({ dice }) => [['Range', dice.pick(['bytes=0-1', 'bytes=-1', 'x'])]],
  ({ dice }) => [
    ['If-Modified-Since', dice.pick(['Thu, 01 Jan 1970 00:00:00 GMT', 'Fri, 01 Jan 2100 00:00:00 GMT', 'x'])],
  ],
  ({ dice }) => [['Origin', dice.pick(['null', 'https://evil.example'])]],
  ({ dice }) => [['Cookie', dice.pick(['session=x', '__proto__=1', 'a'])]],
  ({ dice }) => [['Idempotency-Key', dice.pick(GARBAGE)]],
  ({ dice }) => [['If-Match', dice.pick(GARBAGE)]],
  () => [['__proto__', 'x']],
  () => [['Upgrade-Insecure-Requests', '1']],
  ({ dice }) => [['X-Large', 'x'.repeat(dice.pick([8_000, 20_000]))]],
];
