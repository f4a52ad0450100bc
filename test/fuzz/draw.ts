import { drawBody } from './bodies.js';
import { drawCredentials } from './credentials.js';
import { Dice } from './dice.js';
import { type ApiDocument, type Operation } from './document.js';
import { type FuzzRequest } from './exchange.js';
import { drawHeaders } from './headers.js';
import { type TeamName } from './marks.js';
import { drawPath } from './paths.js';
import { type Purpose } from './purpose.js';
import { drawQuery } from './queries.js';
import { type World } from './world.js';

/** The parts of a request that can be unusual. */
type Part = 'route' | 'credentials' | 'path' | 'query' | 'headers' | 'values' | 'bytes';

const WEIGHTS: readonly (readonly [number, Part])[] = [
  ...([
    [2, 'route'],
    [5, 'credentials'],
    [10, 'path'],
    [5, 'query'],
    [6, 'headers'],
    [14, 'values'],
    [5, 'bytes'],
  ] as const),
];
/** With this many live items of a kind, deletions are as frequent as creations; with more, they are more frequent. */
const ENOUGH = 30;
const UNREGISTERED = ['PUT', 'PATCH', 'DELETE', 'POST', 'GET', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'PURGE', 'LOCK'];

/** The data from which requests are drawn, in addition to the dice. */
export interface Source {
  seed: number;
  document: ApiDocument;
  world: World;
  targetOrigin: string;
}

/** Draws the request with this number from the seed and the current knowledge of the service, for one of the teams. */
export function drawRequest(source: Source, number: number, teams: readonly TeamName[]): FuzzRequest {
  const dice = new Dice(source.seed, number);
  const team = dice.pick(teams);
  const repeated = dice.chance(0.03) ? repetition(source.world, dice, team) : null;
  if (repeated) return repeated;
  const count = dice.weighted([
    [50, 0],
    [36, 1],
    [10, 2],
    [4, 4],
  ]);
  const odd = new Set(Array.from({ length: count }, () => dice.weighted(WEIGHTS)));
  const operation = drawOperation(source, dice, team);
  const purpose: Purpose = { ...source, dice, team, kind: kindOf(operation), item: null };

  const path = drawPath(purpose, operation, odd.has('path'), odd.has('route'));
  purpose.item = path.item;
  const query = drawQuery(purpose, operation, path.text, odd.has('query'));
  const { body, headers } = drawBody(
    purpose,
    operation,
    odd.has('bytes') ? 'bytes' : odd.has('values') ? 'values' : 'none',
  );
  return {
    method: odd.has('route') && dice.chance(0.5) ? dice.pick(UNREGISTERED) : headOrNot(dice, operation),
    target: path.text + (query === '' ? '' : `?${query}`),
    headers: [
      ...drawCredentials(purpose, operation, odd.has('credentials')),
      ...headers,
      ...drawHeaders(purpose, operation, odd.has('headers')),
    ],
    body,
  };
}

/** Repeats a request with an `Idempotency-Key`, unchanged or with a change. */
function repetition(world: World, dice: Dice, team: TeamName): FuzzRequest | null {
  const known = world.kept.of(team);
  if (known.length === 0) return null;
  const { request } = dice.pick(known);
  if (dice.chance(0.8)) return request;
  return { ...request, ...dice.pick([{ target: `${request.target}?` }, { body: null }, { body: Buffer.from('{}') }]) };
}

function headOrNot(dice: Dice, { method }: Operation): string {
  return method === 'GET' && dice.chance(0.02) ? 'HEAD' : method;
}

function drawOperation({ document, world }: Source, dice: Dice, team: TeamName): Operation {
  const counts = new Map<string, number>();
  const countOf = (kind: string): number => {
    const count = counts.get(kind) ?? world.of(kind, team).length;
    counts.set(kind, count);
    return count;
  };
  return dice.weighted(
    document.operations.map((operation): [number, Operation] => {
      const { method, template, scope } = operation;
      if (scope === null) return [template.includes('{') ? 1 : 0.15, operation];
      const kind = kindOf(operation);
      const count = countOf(kind);
      if (method === 'POST' && document.isKind(template) && template === kind)
        return [count < 5 ? 8 : count < ENOUGH ? 3 : 1, operation];
      if (method === 'DELETE') return [count < 5 ? 0.2 : count < ENOUGH ? 1 : count / ENOUGH, operation];
      return [1, operation];
    }),
  );
}

/** Returns the collection of an operation. */
function kindOf({ variables, template }: Operation): string {
  return variables[0]?.kind ?? template;
}
