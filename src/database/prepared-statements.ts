import { LRUCache } from 'lru-cache';

/** Statements that a process has used this often are worth preparing. */
const PREPARE_AFTER = 5;
/** Each connection keeps the plans of all prepared statements, so their number is limited. */
const MAX_PREPARED = 256;
const MAX_COUNTED = 1_000;
/** Longer ones insert many rows, and are rarely the same twice. */
const MAX_LENGTH = 10_000;
/** After a migration, PostgreSQL rejects a prepared statement whose result has other columns than before. */
const ANY_COLUMNS = /(\.|\b(select|returning)\s)\*/i;

/**
 * Names the statements that a process uses again and again, so that PostgreSQL parses and plans them once per connection
 * instead of each time, which often takes longer than to run them.
 */
export class PreparedStatements {
  private readonly names = new Map<string, string>();
  private readonly uses = new LRUCache<string, number>({ max: MAX_COUNTED });

  /** Counts a use of the statement. Returns the name under which to prepare it; `undefined` if it is not worth it. */
  nameOf(text: string): string | undefined {
    const name = this.names.get(text);
    if (name !== undefined || this.names.size === MAX_PREPARED || text.length > MAX_LENGTH) return name;
    const uses = (this.uses.get(text) ?? 0) + 1;
    this.uses.set(text, uses);
    // Decided once: searching a long text takes time.
    if (uses !== PREPARE_AFTER || ANY_COLUMNS.test(text)) return undefined;
    this.uses.delete(text);
    const given = `daywatch_${this.names.size}`;
    this.names.set(text, given);
    return given;
  }
}
