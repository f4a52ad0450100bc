import { type Scope } from '../../src/http/auth/principal.js';
import { KeptAnswers } from './kept.js';
import { Marks, type TeamName } from './marks.js';

export type Json = Record<string, unknown>;

/**
 * Whether an item exists: `gone` items have been deleted (keys: revoked). For `unsure` ones it is unknown, because they
 * expire or concurrent requests wrote them.
 */
export type Life = 'live' | 'gone' | 'unsure';

/** A resource with an id that a team has created. */
export interface Item {
  /** The template of its collection. */
  kind: string;
  id: string;
  team: TeamName;
  life: Life;
  /** The last response. */
  body: Json;
  /** Its entity tags, the newest last. */
  tags: string[];
  /** The ids of its children, by the template of their collection. */
  children: Map<string, string[]>;
  /** Its writable fields, as read at this revision. */
  definition: { revision: unknown; body: Json } | null;
  /** The password of a page, which responses never contain. */
  password: string | null;
  /** Whether it is a root key, which drawn requests never change. */
  isRoot: boolean;
  /** Whether concurrent writes made its state unknown until it is read again. */
  muddled: boolean;
}

/** The secret of an API key. */
export interface Secret {
  text: string;
  item: Item;
  /** Epoch milliseconds, exclusive, in addition to the expiry of the key; NaN: unknown. */
  validUntil: number;
}

/** A pending or recent write, which may affect the item with this id, or any of its kind (`null`). */
interface PendingWrite {
  number: number;
  kind: string;
  team: TeamName;
  id: string | null;
}

export interface KnownCursor {
  team: TeamName;
  /** A name for the list that it continues; `null` if its item was unsteady. */
  list: string | null;
  /** The path of the list, and the query of its first page. */
  path: string;
  query: string;
  cursor: string;
}

/** The number of the latest cursors that may be drawn again. */
const DRAWN_CURSORS = 60;
/** Within this time of an expiry, it is unknown whether it has passed. */
const LEEWAY_MS = 1_500;

/** A period in epoch milliseconds. */
export interface Span {
  from: number;
  to: number;
}

export const atOnce = (): Span => ({ from: Date.now(), to: Date.now() });

/** The model of the service, learned from its responses. Responses are judged by it, and requests are drawn from it. */
export class World {
  readonly marks = new Marks();
  readonly items = new Map<string, Item>();
  private readonly byKind = new Map<string, Set<Item>>();
  readonly secrets = new Map<string, Secret>();
  readonly cursors = new Map<string, KnownCursor>();
  latestCursors: readonly KnownCursor[] = [];
  readonly kept = new KeptAnswers();
  private readonly writes: PendingWrite[] = [];

  /** `reach`: requests whose numbers differ by at least this much are never concurrent. */
  constructor(readonly reach: number) {}

  add(kind: string, team: TeamName, body: Json): Item {
    const item: Item = {
      kind,
      team,
      body,
      id: String(body.id),
      life: 'live',
      tags: [],
      children: new Map(),
      definition: null,
      password: null,
      isRoot: false,
      muddled: false,
    };
    this.items.set(item.id, item);
    this.byKind.set(kind, (this.byKind.get(kind) ?? new Set()).add(item));
    this.marks.own(item.id, team, kind);
    return item;
  }

  addSecret(text: string, item: Item): Secret {
    const secret: Secret = { text, item, validUntil: Infinity };
    this.secrets.set(text, secret);
    this.marks.secrets.add(text);
    return secret;
  }

  /** Returns the items of a kind, the oldest first. */
  of(kind: string, team: TeamName | null, life: Life = 'live'): Item[] {
    return [...(this.byKind.get(kind) ?? [])].filter(
      (one) => (team === null || one.team === team) && one.life === life,
    );
  }

  /** Removes all but the last `keep` deleted items of a kind, to limit memory. */
  forgetOld(kind: string, keep: number): void {
    const gone = this.of(kind, null, 'gone');
    const old = new Set(gone.slice(0, Math.max(0, gone.length - keep)));
    for (const item of old) {
      this.items.delete(item.id);
      this.byKind.get(kind)?.delete(item);
    }
    for (const { text, item } of this.secrets.values()) if (old.has(item)) this.secrets.delete(text);
  }

  remember(cursor: KnownCursor): void {
    if (this.cursors.has(cursor.cursor)) return;
    this.cursors.set(cursor.cursor, cursor);
    this.latestCursors = [...this.latestCursors, cursor].slice(-DRAWN_CURSORS);
  }

  /** Records that a request about to be sent may write this. */
  begin(number: number, kind: string, team: TeamName, id: string | null): void {
    this.writes.push({ number, kind, team, id });
    while (this.writes[0] && this.writes[0].number < number - 2 * this.reach) this.writes.shift();
  }

  /** Returns whether no request concurrent with this one may have written the item. */
  isSteady(number: number, { kind, team, id, muddled }: Item): boolean {
    return !muddled && this.isPlaceSteady(number, kind, team, id);
  }

  /** Returns the same for an id, whether or not an item with it exists. */
  isPlaceSteady(number: number, kind: string, team: TeamName, id: string): boolean {
    return !this.writesAround(number).some(
      (one) => one.kind === kind && one.team === team && (one.id === null || one.id === id),
    );
  }

  /** Returns the same for all items of a kind; `team` null: of all teams. */
  isKindSteady(number: number, kind: string, team: TeamName | null): boolean {
    return !this.writesAround(number).some((one) => one.kind === kind && (team === null || one.team === team));
  }

  /** Returns whether an item exists in a period, taking its expiry into account. */
  lifeOf(item: Item, { to }: Span): Life {
    const ends = item.kind.endsWith('/silences') ? item.body.until : item.body.expiresAt;
    const expiry = item.kind.endsWith('/api-keys') ? Infinity : timeOf(ends);
    return item.life === 'live' && to > expiry - LEEWAY_MS ? 'unsure' : item.life;
  }

  /** Returns whether a secret is accepted in a period; `null`: unknown. */
  accepts({ item, validUntil }: Secret, { from, to }: Span): boolean | null {
    if (item.life !== 'live') return item.life === 'gone' ? false : null;
    const end = Math.min(validUntil, timeOf(item.body.expiresAt));
    if (to < end - LEEWAY_MS) return true;
    return from > end + LEEWAY_MS ? false : null;
  }

  private writesAround(number: number): PendingWrite[] {
    return this.writes.filter((one) => one.number !== number && Math.abs(one.number - number) < this.reach);
  }
}

const SCOPES: readonly Scope[] = ['read', 'write', 'admin'];

/** Returns whether a key has a scope, or one that includes it. */
export function mayDo({ body }: Item, needed: Scope): boolean {
  return ((body.scopes ?? []) as Scope[]).some((one) => SCOPES.indexOf(one) >= SCOPES.indexOf(needed));
}

function timeOf(value: unknown): number {
  return typeof value === 'string' ? Date.parse(value) : Infinity;
}
