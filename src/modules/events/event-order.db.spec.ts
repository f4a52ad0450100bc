import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type DataSource } from 'typeorm';
import { type Tx } from '../../database/tx.js';
import { type TeamId } from '../../http/auth/principal.js';
import { eventually } from '../../../test/support/eventually.js';
import { type KeyStage, openKeyStage } from '../../../test/support/key-stage.js';
import { EventLog } from './event-log.service.js';
import { isAfter, type EventPosition, SETTLED } from './event-position.js';

let stage: KeyStage;
let source: DataSource;
let log: EventLog;
let teamId: TeamId;
beforeAll(async () => {
  stage = await openKeyStage();
  source = stage.source;
  log = stage.context.get(EventLog, { strict: false });
  teamId = await stage.newTeam();
});
afterAll(() => stage?.close());

/** Records an event with this name in a transaction that stays open until `commit` is called. */
async function begin(name: string): Promise<{ commit: () => Promise<void> }> {
  const runner = source.createQueryRunner();
  await runner.startTransaction();
  const resource = { type: 'monitor', id: name, name } as const;
  await log.record(runner.manager as unknown as Tx, [{ type: 'monitor.created', teamId, resource }]);
  return {
    commit: async () => {
      await runner.commitTransaction();
      await runner.release();
    },
  };
}

/** Returns the names that a reader of the log sees, in its order. */
async function shown(): Promise<string[]> {
  const rows: { resource_name: string }[] = await source.query(
    `SELECT e.resource_name FROM events e WHERE e.team_id = $1 AND e.resource_type = 'monitor' AND ${SETTLED}
     ORDER BY e.era, e.transaction_id, e.sequence`,
    [teamId],
  );
  return rows.map((row) => row.resource_name);
}

it('shows events in one order, also if their transactions commit in reverse', async () => {
  const first = await begin('first');
  const second = await begin('second');
  await second.commit();
  expect(await shown()).toEqual([]);
  const third = await begin('third');
  await first.commit();
  // Transactions of other databases of the same server hold events back, too.
  await eventually(async () => expect(await shown()).toEqual(['first', 'second']));
  await third.commit();
  await eventually(async () => expect(await shown()).toEqual(['first', 'second', 'third']));
});

it.each<[EventPosition, EventPosition, boolean]>([
  [{ era: 2, transactionId: '1', sequence: '1' }, { era: 1, transactionId: '9', sequence: '9' }, true],
  [{ era: 1, transactionId: '10', sequence: '1' }, { era: 1, transactionId: '9', sequence: '9' }, true],
  [{ era: 1, transactionId: '9', sequence: '10' }, { era: 1, transactionId: '9', sequence: '9' }, true],
  [{ era: 1, transactionId: '9', sequence: '9' }, { era: 1, transactionId: '9', sequence: '9' }, false],
  [{ era: 1, transactionId: '8', sequence: '10' }, { era: 1, transactionId: '9', sequence: '9' }, false],
])('%o stands after %o: %s', (a, b, after) => {
  expect(isAfter(a, b)).toBe(after);
});
