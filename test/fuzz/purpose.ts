import { type Dice } from './dice.js';
import { type ApiDocument } from './document.js';
import { type Secrecy, type TeamName } from './marks.js';
import { type Item, type World } from './world.js';

/** For whom and for what values are drawn. */
export interface Purpose {
  dice: Dice;
  world: World;
  document: ApiDocument;
  team: TeamName;
  /** The collection that is written to. */
  kind: string;
  /** The item that is written, if it is there. */
  item: Item | null;
  /** Where monitors may be pointed at. */
  targetOrigin: string;
}

/** Who may see what is sent as this member. */
export function secrecyOf(kind: string, name: string, writeOnly = false): Secrecy {
  if (writeOnly || /password|token|secret/i.test(name)) return 'secret';
  const isPage = kind.endsWith('/status-pages');
  if (isPage && ['name', 'description', 'group'].includes(name)) return 'shown';
  if (kind.endsWith('/incidents') && name === 'title') return 'shown';
  return kind.endsWith('/monitors') && name === 'name' ? 'shown' : 'kept';
}

/** What members refer to that are named by its part. */
const PARTS: Readonly<Record<string, string>> = { parent: 'monitor' };

/** The kind of item that a member refers to, by its name: `monitorId`, `monitorIds`; `null` where it does not. */
export function kindOfReference(document: ApiDocument, name: string): string | null {
  const [, humps] = /^(.+)Ids?$/.exec(name) ?? [];
  const noun = humps
    ?.split(/(?=[A-Z])/)
    .at(-1)
    ?.toLowerCase();
  const kind = noun === undefined ? null : `/v1/${PARTS[noun] ?? noun}s`;
  return kind !== null && document.isKind(kind) ? kind : null;
}

/** How a body of this team names an item of its own: mostly one that is there, now and then one that is not. */
export function referenceTo({ dice, world, team }: Purpose, kind: string): string {
  const isOdd = dice.chance(0.12);
  const other = team === 'ours' ? 'theirs' : 'ours';
  const items = isOdd ? [...world.of(kind, other), ...world.of(kind, team, 'gone')] : world.of(kind, team);
  if (items.length === 0) return 'key:nobody';
  const { id, body } = dice.pick(items);
  return typeof body.key === 'string' && dice.chance(0.3) ? `key:${body.key}` : id;
}
