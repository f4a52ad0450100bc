import { type TestApp } from '../support/app.js';
import { rowsOf } from '../support/rows.js';
import { type Fault } from './judge.js';
import { NEVER_STORED, type TeamName } from './marks.js';
import { type Json } from './world.js';

/** Tables that only callers write. Other tables of a team change by themselves while its monitors are checked. */
const WRITTEN = ['monitors', 'status_pages', 'status_page_components', 'api_keys'];

/** The stored definitions of a team, to be compared after another team has acted. */
export class VictimRows {
  private constructor(
    private readonly app: TestApp,
    private readonly team: TeamName,
    private readonly before: Record<string, unknown[]>,
  ) {}

  static async of(app: TestApp, team: TeamName): Promise<VictimRows> {
    return new VictimRows(app, team, await rowsOf(app, app.teams[team].id));
  }

  /** Returns the changes since, except for items that ended by themselves. */
  async changes(): Promise<Fault[]> {
    const now = Date.now();
    const after = await rowsOf(this.app, this.app.teams[this.team].id);
    const ended = (this.before.monitors as Json[]).filter((row) => hasEnded(row, now)).map(({ id }) => id);
    const rest = (rows: unknown[] | undefined): string[] =>
      (rows as Json[])
        .filter(({ id, monitor_id: monitorId }) => !ended.includes(id) && !ended.includes(monitorId))
        .map((row) => JSON.stringify(withoutParents(row, ended)));
    return WRITTEN.flatMap((table) => {
      const [former, present] = [new Set(rest(this.before[table])), new Set(rest(after[table]))];
      const lost = [...former].filter((row) => !present.has(row));
      const made = [...present].filter((row) => !former.has(row));
      return [...lost.map((row) => `lost from ${table}: ${row}`), ...made.map((row) => `new in ${table}: ${row}`)];
    }).map((detail) => ({ rule: 'tenancy', detail }));
  }
}

/** Removes monitors that ended by themselves from those that depend on them. */
function withoutParents(row: Json, ended: readonly unknown[]): Json {
  const { parent_ids: parents } = row;
  return Array.isArray(parents) ? { ...row, parent_ids: parents.filter((id) => !ended.includes(id)) } : row;
}

/** Returns whether an item has expired or its pause has ended. */
function hasEnded(row: Json, now: number): boolean {
  return [row.expires_at, row.paused_until].some((end) => typeof end === 'string' && Date.parse(end) <= now + 1_000);
}

/** Returns secrets that are stored in the database in plain text. */
export async function storedSecrets(app: TestApp): Promise<Fault[]> {
  const tables = await app.query<{ name: string }>(
    `SELECT c.relname::text AS name FROM pg_class c WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`,
  );
  const faults: Fault[] = [];
  for (const { name } of tables) {
    const found = await app.query<{ row: string }>(
      `SELECT t::text AS row FROM "${name}" t WHERE t::text ~ ANY($1::text[]) LIMIT 1`,
      [NEVER_STORED],
    );
    for (const { row } of found) faults.push({ rule: 'stored secret', detail: `in ${name}: ${row.slice(0, 500)}` });
  }
  return faults;
}
