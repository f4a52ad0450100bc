import { newSecret } from '../../src/modules/api-keys/api-key-secret.js';
import { type Operation } from './document.js';
import { basic } from './places.js';
import { type Purpose } from './purpose.js';
import { METRICS_TOKEN } from './service.js';
import { atOnce, mayDo, type Secret } from './world.js';

type Pair = [name: string, value: string];

/** Draws credentials: usually a key of the team with sufficient scope, otherwise one without, or none. */
export function drawCredentials(purpose: Purpose, operation: Operation, isOdd: boolean): Pair[] {
  const { dice } = purpose;
  if (operation.template === '/metrics' && !isOdd) return [['Authorization', `Bearer ${METRICS_TOKEN}`]];
  if (operation.scope === null) return isOdd ? odd(purpose, operation) : password(purpose);
  if (isOdd) return odd(purpose, operation);
  return [
    [
      'Authorization',
      `${dice.chance(0.95) ? 'Bearer' : dice.pick(['bearer', 'BEARER'])} ${fitting(purpose, operation)}`,
    ],
  ];
}

/**
 * Draws a key that may call the operation, as far as is known. Never draws a root key for an operation that changes the
 * key itself, because the fuzzer needs root keys until the end.
 */
function fitting({ dice, world, team }: Purpose, { scope, template, method }: Operation): string {
  const changesItself = template.includes('/self') && method !== 'GET';
  const all = usable(
    world.secrets.values(),
    (one) => one.item.team === team && !(changesItself && one.item.isRoot) && world.accepts(one, atOnce()) === true,
  );
  const may = all.filter(({ item }) => mayDo(item, scope!));
  const strong = may.filter(({ item }) => item.isRoot);
  const fitting = strong.length > 0 && dice.chance(0.4) ? strong : may.length > 0 ? may : all;
  return fitting.length > 0 ? dice.pick(fitting).text : newSecret();
}

function usable(secrets: Iterable<Secret>, may: (secret: Secret) => boolean): Secret[] {
  return [...secrets].filter(may);
}

function password({ dice, item }: Purpose): Pair[] {
  if (!item?.password || dice.chance(0.2)) return [];
  // Wrong passwords are rare, because ten of them block this address.
  return [['Authorization', dice.chance(0.98) ? basic(item.password) : basic('wrong')]];
}

type OddCredentials = (purpose: Purpose, operation: Operation, good: string) => Pair[];

function odd(purpose: Purpose, operation: Operation): Pair[] {
  const good = operation.scope === null ? newSecret() : fitting(purpose, operation);
  return purpose.dice.pick(ODDITIES)(purpose, operation, good);
}

const header = (value: string): Pair[] => [['Authorization', value]];

const ODDITIES: readonly OddCredentials[] = [
  () => [],
  weak,
  weak,
  weak,
  weak,
  weak,
  weak,
  dead,
  dead,
  dead,
  () => header(`Bearer ${newSecret()}`),
  ({ dice }, _, good) => header(`Bearer ${dice.pick(mistyped(good))}`),
  ({ dice }, _, good) =>
    header(dice.pick([good, `Basic ${good}`, 'Bearer', 'Bearer ', `Bearer  ${good}`, `Token ${good}`])),
  ({ dice }, _, good) =>
    header(dice.pick([`Bearer ${good} x`, `Bearer ${good},`, `Bearer\t${good}`, `Bearer "${good}"`])),
  (_, __, good) => [...header(`Bearer ${good}`), ...header(`Bearer ${good}`)],
  (_, __, good) => [...header(`Bearer ${good}`), ...header('Basic YTpi')],
  (_, __, good) => [...header('Basic YTpi'), ...header(`Bearer ${good}`)],
  ({ dice }) => header(`Bearer ${'x'.repeat(dice.pick([1, 500, 10_000]))}`),
  ({ dice }) =>
    header(`Bearer ${dice.pick(['é', '\u00ff\u00fe', 'dw_', '=', 'a=b', '..', '{}', 'null', 'undefined'])}`),
  (_, __, good) => [
    ['X-Api-Key', good],
    ['Cookie', `token=${good}`],
    ['Proxy-Authorization', `Bearer ${good}`],
  ],
];

/** Draws a key of the team whose scope is insufficient for the operation. */
function weak({ dice, world, team }: Purpose, { scope }: Operation, good: string): Pair[] {
  const few = usable(world.secrets.values(), ({ item }) => item.team === team && scope !== null && !mayDo(item, scope));
  return header(`Bearer ${few.length > 0 ? dice.pick(few).text : good}`);
}

/** Draws a key of any team that is no longer valid. */
function dead({ dice, world }: Purpose, _: Operation, good: string): Pair[] {
  const gone = usable(world.secrets.values(), (one) => world.accepts(one, atOnce()) === false);
  // The newest may still be in a cache of the service.
  const latest = dice.chance(0.5) ? gone.slice(-2) : gone;
  return header(`Bearer ${latest.length > 0 ? dice.pick(latest).text : mistyped(good)[0]}`);
}

function mistyped(good: string): string[] {
  const other = (letter = ''): string => (letter === 'a' ? 'b' : 'a');
  return [
    good.slice(0, -1) + other(good.at(-1)),
    good.slice(0, 20) + other(good[20]) + good.slice(21),
    good.toLowerCase(),
    good.slice(3),
    `${good}a`,
    good.slice(0, 54),
    good.replace('dw_', 'DW_'),
    `${good}=`,
  ];
}

/** Returns the secret of a team's root key, for requests of the fuzzer itself. */
export function rootSecret(secrets: Iterable<Secret>, team: string): string {
  const found = usable(secrets, ({ item }) => item.isRoot && item.team === team);
  if (!found[0]) throw new Error(`There is no root key of ${team}`);
  return found[0].text;
}
