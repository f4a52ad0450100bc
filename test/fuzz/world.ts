import { type Scope } from '../../src/http/auth/principal.js';
import { KeptAnswers } from './kept.js';
import { Marks, type TeamName } from './marks.js';

export type Json = Record<string, unknown>;

/**
 * Whether an item exists: `gone` items have been deleted (keys: revoked). Nobody can say it of `unsure` ones: their time
 * has come, or answers crossed.
 */
export type Life = 'live' | 'gone' | 'unsure';

/** Something with an id that a team has made. */
export interface Item {
  /** The template of its collection. */
  kind: string;
  id: string;
  team: TeamName;
  life: Life;
  /** As it was answered last. */
  body: Json;
  /** Its entity tags, the newest last. */
  tags: string[];
  /** What stands below it, by the template of the collection there. */
  children: Map<string, string[]>;
  /** Its writable fields, as read at a revision. */
  definition: { revision: unknown; body: Json } | null;
  /** What was written and is never shown: a page's password. */
  password: string | null;
  /** Never written by a drawn request. */
  isRoot: boolean;
  /** Writes of it crossed: how it stands is not known until it is read again. */
  muddled: boolean;
}

/** What an API key proves. */
export interface Secret {
  text: string;
  item: Item;
  /** Epoch milliseconds, exclusive, beside the expiry of the key; NaN: not known. */
  validUntil: number;
}

/** A write that is under way or has lately been: it may touch the item with this id, or (`null`) any of its kind. */
interface PendingWrite {
  number: number;
  kind: string;
  team: TeamName;
  id: string | null;
}

export interface KnownCursor {
  team: TeamName;
  /** A name for the list that it goes on with. */
  list: string;
  /** The path of the list, and the query of its first page. */
  path: string;
  query: string;
  cursor: string;
}

/** So many of the latest are drawn again. */
const DRAWN_CURSORS = 60;
/** An expiry that is nearer than this may or may not have come. */
const LEEWAY_MS = 1_500;

/** A stretch of time in epoch milliseconds. */
export interface Span {
  from: number;
  to: number;
}

export const atOnce = (): Span => ({ from: Date.now(), to: Date.now() });

/** What is known of the service from its answers: the model that answers are judged by, and that requests are drawn from. */
export class World {
  readonly marks = new Marks();
  readonly items = new Map<string, Item>();
  private readonly byKind = new Map<string, Set<Item>>();
  readonly secrets = new Map<string, Secret>();
  readonly cursors = new Map<string, KnownCursor>();
  latestCursors: readonly KnownCursor[] = [];
  readonly kept = new KeptAnswers();
  private readonly writes: PendingWrite[] = [];

  /** `reach`: requests whose numbers are this far apart or further never ran at the same time. */
  constructor(readonly reach: number) {}

  add(kind: string, team: TeamName, body: Json): Item {
    const item: Item = {
      ...{ kind, team, body, id: String(body.id), life: 'live', tags: [], children: new Map() },
      ...{ definition: null, password: null, isRoot: false, muddled: false },
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

  /** Items of a kind, the oldest first. */
  of(kind: string, team: TeamName | null, life: Life = 'live'): Item[] {
    return [...(this.byKind.get(kind) ?? [])].filter(
      (one) => (team === null || one.team === team) && one.life === life,
    );
  }

  /** Forgets items that have been gone for long: they would fill the memory. */
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

  /** A request that is about to be sent may write this. */
  begin(number: number, kind: string, team: TeamName, id: string | null): void {
    this.writes.push({ number, kind, team, id });
    while (this.writes[0] && this.writes[0].number < number - 2 * this.reach) this.writes.shift();
  }

  /** Whether no other request that ran at the same time as this one may have written the item. */
  isSteady(number: number, { kind, team, id, muddled }: Item): boolean {
    return !muddled && this.isPlaceSteady(number, kind, team, id);
  }

  /** The same of what stands, or may come to stand, under an id. */
  isPlaceSteady(number: number, kind: string, team: TeamName, id: string): boolean {
    return !this.writesAround(number).some(
      (one) => one.kind === kind && one.team === team && (one.id === null || one.id === id),
    );
  }

  /** The same of all items of a kind; `team` null: of all teams. */
  isKindSteady(number: number, kind: string, team: TeamName | null): boolean {
    return !this.writesAround(number).some((one) => one.kind === kind && (team === null || one.team === team));
  }

  /** How alive an item is in a stretch of time: its own expiry may come. */
  lifeOf(item: Item, { to }: Span): Life {
    const expiry = item.kind.endsWith('/api-keys') ? Infinity : timeOf(item.body.expiresAt);
    return item.life === 'live' && to > expiry - LEEWAY_MS ? 'unsure' : item.life;
  }

  /** Whether a secret is accepted in a stretch of time; `null`: it may or may not be. */
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

/** Whether a key has a scope, or one that includes it. */
export function mayDo({ body }: Item, needed: Scope): boolean {
  return ((body.scopes ?? []) as Scope[]).some((one) => SCOPES.indexOf(one) >= SCOPES.indexOf(needed));
}

function timeOf(value: unknown): number {
  return typeof value === 'string' ? Date.parse(value) : Infinity;
}
