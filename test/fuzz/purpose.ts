import { type Dice } from './dice.js';
import { type ApiDocument } from './document.js';
import { type Secrecy, type TeamName } from './marks.js';
import { type Item, type World } from './world.js';

/** The context for which values are drawn. */
export interface Purpose {
  dice: Dice;
  world: World;
  document: ApiDocument;
  team: TeamName;
  /** The collection of the operation. */
  kind: string;
  /** The item of the operation, if it exists. */
  item: Item | null;
  /** The origin for the targets of monitors. */
  targetOrigin: string;
}

/** Returns who may see the value of this member. */
export function secrecyOf(kind: string, name: string, writeOnly = false): Secrecy {
  if (writeOnly || /password|token|secret/i.test(name)) return 'secret';
  const isPage = kind.endsWith('/status-pages');
  if (isPage && ['name', 'description', 'group'].includes(name)) return 'shown';
  if (kind.endsWith('/incidents') && name === 'title') return 'shown';
  return /\/monitors(\/bulk)?$/.test(kind) && name === 'name' ? 'shown' : 'kept';
}

/** The kinds of references whose names do not contain the kind. */
const PARTS: Readonly<Record<string, string>> = {
  parent: 'monitors',
  channel: 'notification-channels',
  policy: 'notification-policies',
};

/** Returns the kind of item to which a member refers by its name (`monitorId`, `monitorIds`); `null` if to none. */
export function kindOfReference(document: ApiDocument, name: string): string | null {
  const [, humps] = /^(.+)Ids?$/.exec(name) ?? [];
  const noun = humps
    ?.split(/(?=[A-Z])/)
    .at(-1)
    ?.toLowerCase();
  const kind = noun === undefined ? null : `/v1/${PARTS[noun] ?? `${noun}s`}`;
  return kind !== null && document.isKind(kind) ? kind : null;
}

/** Draws a reference to an item: usually of the team, occasionally of the other team or to a deleted one. */
export function referenceTo({ dice, world, team }: Purpose, kind: string): string {
  const isOdd = dice.chance(0.12);
  const other = team === 'ours' ? 'theirs' : 'ours';
  const items = isOdd ? [...world.of(kind, other), ...world.of(kind, team, 'gone')] : world.of(kind, team);
  if (items.length === 0) return 'key:nobody';
  const { id, body } = dice.pick(items);
  return typeof body.key === 'string' && dice.chance(0.3) ? `key:${body.key}` : id;
}
