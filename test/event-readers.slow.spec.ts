import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { dataSource } from '../src/database/data-source.js';
import { Transactions } from '../src/database/tx.js';
import { EventLog } from '../src/modules/events/event-log.service.js';
import { startApp, type TestApp } from './support/app.js';
import { type TestTeam } from './support/backstage.js';
import { openStream } from './support/event-stream.js';
import { eventually } from './support/eventually.js';
import { NO_LIMITS } from './support/no-limits.js';

/** Together they record 500 events per second. */
const WRITERS = 12;
const EVENTS_EACH = 10;
const TURN_MS = 240;
const TURNS = 80;

let app: TestApp;
let team: TestTeam;
let source: DataSource;
beforeAll(async () => {
  app = await startApp(NO_LIMITS);
  team = app.teams.ours;
  source = await dataSource(app.databaseUrl, WRITERS).initialize();
});
afterAll(async () => {
  await source?.destroy();
  await app.close();
});

/** Records events in a transaction that ends after a random time, sometimes without a commit. */
async function recordSome(transactions: Transactions, log: EventLog, count: number, openMs: number): Promise<void> {
  const given = new Error('rolled back on purpose');
  const events = Array.from({ length: count }, () => {
    return { type: 'monitor.created', teamId: team.id, resource: { type: 'monitor', id: uuidv7() } } as const;
  });
  const committed = transactions.run(async (tx) => {
    for (const half of [events.slice(0, count / 2), events.slice(count / 2)]) {
      await log.record(tx, half);
      await delay(randomInt(openMs));
    }
    if (randomInt(10) === 0) throw given;
  });
  await committed.catch((error: unknown) => {
    if (error !== given) throw error;
  });
}

/** Pages through the feed until it is told to stop and has read all; discards every fifth answer, as if it got lost. */
async function page(after: string, isOver: () => boolean): Promise<string[]> {
  const seen: string[] = [];
  for (let last = after; ;) {
    const wasOver = isOver();
    const query = `type=monitor.created&after=${last}&limit=100`;
    const answer = await fetch(`${app.origin}/v1/events?${query}`, {
      headers: { authorization: `Bearer ${team.read}` },
    });
    expect(answer.status).toBe(200);
    const { data } = (await answer.json()) as { data: { id: string }[] };
    if (randomInt(5) === 0) continue;
    seen.push(...data.map(({ id }) => id));
    if (data.length === 0 && wasOver) return seen;
    last = seen.at(-1) ?? after;
  }
}

/** Follows the stream, and breaks the connection at random moments. */
async function follow(after: string, isComplete: (count: number) => boolean): Promise<string[]> {
  const seen: string[] = [];
  while (!isComplete(seen.length)) {
    const stream = await openStream(app.origin, team.read, 'type=monitor.created', seen.at(-1) ?? after);
    expect(stream.status).toBe(200);
    await delay(randomInt(20, 1_000));
    stream.close();
    seen.push(...stream.ids());
  }
  return seen;
}

it('miss nothing and get nothing twice, whatever the order of commits and wherever they reconnect', async () => {
  const transactions = new Transactions(source);
  const log = new EventLog(source);
  const stored = async (): Promise<string[]> => {
    const rows = await app.query<{ id: string }>(
      `SELECT id FROM events WHERE team_id = $1 AND type = 'monitor.created' ORDER BY era, transaction_id, sequence`,
      [team.id],
    );
    return rows.map(({ id }) => id);
  };
  await transactions.run((tx) =>
    log.record(tx, [{ type: 'monitor.created', teamId: team.id, resource: { type: 'monitor', id: uuidv7() } }]),
  );
  const [first] = await stored();
  let written = Infinity;
  const readers = [page(first!, () => written < Infinity), follow(first!, (count) => count >= written)];
  const started = performance.now();
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      for (let turn = 0; turn < TURNS; turn += 1) {
        const dueMs = (turn + writer / WRITERS) * TURN_MS;
        await delay(Math.max(0, dueMs - (performance.now() - started)));
        await recordSome(transactions, log, EVENTS_EACH, TURN_MS / 2);
      }
    }),
  );
  const all = (await stored()).slice(1);
  await eventually(async () => {
    const settled = await app.query<{ open: number }>(
      `SELECT count(*)::int AS open FROM events WHERE team_id = $1
         AND transaction_id >= pg_snapshot_xmin(pg_current_snapshot())::text::bigint`,
      [team.id],
    );
    expect(settled[0]!.open).toBe(0);
  });
  written = all.length;
  const [paged, followed] = await Promise.all(readers);
  expect(paged).toEqual(all);
  expect(followed).toEqual(all);
  // Commits out of order are what this is about.
  const [order] = await app.query<{ late: number }>(
    `SELECT count(*)::int AS late FROM (SELECT sequence, lag(sequence) OVER (ORDER BY transaction_id, sequence) AS before
       FROM events WHERE team_id = $1) AS e WHERE e.sequence < e.before`,
    [team.id],
  );
  expect(order!.late).toBeGreaterThan(100);
});
