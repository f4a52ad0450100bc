import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { createTestDatabase } from '../../../test/support/database.js';
import { readConfig } from '../../config/app-config.js';
import { dataSource } from '../../database/data-source.js';
import { Transactions } from '../../database/tx.js';
import { NO_TIMINGS } from '../../domain/check-result.js';
import { HOUR_MS, MINUTE_MS } from '../../domain/durations.js';
import { type ErrorCode } from '../../domain/error-codes.js';
import { checkId } from './check-id.js';
import { ChecksService, type RecordableCheck } from './checks.service.js';
import { PartitionsService } from './partitions.service.js';

const noon = Date.UTC(2026, 9, 10, 12);

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let source: DataSource;
let transactions: Transactions;
const checks = new ChecksService();
beforeAll(async () => {
  database = await createTestDatabase();
  source = await dataSource(database.url, 2).initialize();
  transactions = new Transactions(source);
  await new PartitionsService(source, readConfig({})).ensure([noon - 24 * HOUR_MS, noon, noon + 24 * HOUR_MS]);
});
afterAll(async () => {
  await source.destroy();
  await database.drop();
});

/** A failing check of a slot at noon or `slotMs` after it, that began `delayMs` after its slot. */
function failing(monitorId: string, slotMs: number, delayMs: number, code: ErrorCode): RecordableCheck {
  return {
    ...{ monitorId, location: 'default', attempt: 0, scheduledAt: noon + slotMs, checkedAt: noon + slotMs + delayMs },
    ...{ trigger: 'schedule', status: 'down', revision: 1, intervalMs: MINUTE_MS },
    outcome: {
      statusCode: null,
      responseTimeMs: null,
      timings: NO_TIMINGS,
      remoteAddress: null,
      error: { code, message: code },
      failedAssertions: [],
    },
  };
}

const idOf = ({ scheduledAt, attempt, location }: RecordableCheck): string =>
  checkId({ scheduledAt, attempt, location });

it.each([
  ['that began on time', 20, MINUTE_MS, 20],
  ['of which the first began an hour late', HOUR_MS, HOUR_MS + MINUTE_MS, 20],
  ['that both began a day late', 24 * HOUR_MS, MINUTE_MS, 24 * HOUR_MS],
])('finds the first and the confirming check of an outage %s, among others', async (_, firstDelay, slotMs, delayMs) => {
  const monitorId = uuidv7();
  const first = failing(monitorId, 0, firstDelay, 'timeout');
  const confirming = failing(monitorId, slotMs, delayMs, 'connect_refused');
  const other = [failing(uuidv7(), 0, firstDelay, 'dns_failed'), failing(monitorId, MINUTE_MS / 2, 10, 'tls_expired')];
  const outage = { monitorId, location: 'default', at: first.checkedAt, confirmedAt: confirming.checkedAt };
  const unknown = { ...outage, monitorId: uuidv7() };
  await transactions.run(async (tx) => {
    await checks.insert(tx, [first, confirming, ...other]);
    const found = await checks.evidence(tx, [unknown, outage]);
    expect([...found.keys()]).toEqual([outage]);
    expect(found.get(outage)).toMatchObject({ firstFailedCheckId: idOf(first), errorCode: 'connect_refused' });
  });
});

it('finds the last failing check within each span', async () => {
  const [one, two] = [uuidv7(), uuidv7()];
  const early = failing(one, 0, 20, 'timeout');
  const late = failing(one, HOUR_MS, 5 * MINUTE_MS, 'timeout');
  const spans = [
    { monitorId: one, fromMs: noon, toMs: noon + HOUR_MS },
    { monitorId: one, fromMs: noon, toMs: noon + 2 * HOUR_MS },
    { monitorId: two, fromMs: noon, toMs: noon + HOUR_MS },
  ];
  await transactions.run(async (tx) => {
    await checks.insert(tx, [early, late]);
    const found = await checks.lastFailures(tx, spans);
    expect(spans.map((span) => found.get(span))).toEqual([idOf(early), idOf(late), undefined]);
  });
});
