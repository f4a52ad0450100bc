import { NO_TIMINGS, type ResultStatus } from '../../src/domain/check-result.js';
import { DAY_MS, HOUR_MS } from '../../src/domain/durations.js';
import { nextSlotAfter, phaseMs } from '../../src/domain/schedule.js';
import { dateOf, dayStart } from '../../src/domain/utc-day.js';
import { type CheckResult } from '../../src/modules/checker/check-queue.js';
import { type RecorderService } from '../../src/modules/checker/recorder.service.js';
import { type TestApp } from './app.js';
import { type Client } from './client.js';
import { createMonitor, httpMonitor } from './monitors.js';

export const HISTORY_INTERVAL_MS = 300_000;

/** A paused monitor with a known history of the two UTC days before today. */
export interface PastMonitor {
  id: string;
  /** The start (midnight UTC) of each of the two days. */
  firstDayMs: number;
  secondDayMs: number;
  /** The query parameters `from` and `to` that select both days. */
  query: string;
  /** Every slot of both days. */
  slots: number[];
  /** The slots between which it was down, for one hour from 10:00 UTC on the second day. */
  outage: { from: number; to: number };
}

export interface PastOptions {
  /** Whether it had the outage; otherwise it was always up. */
  isDown?: boolean;
  /** Selects slots without a check. */
  without?: (slot: number, index: number) => boolean;
  /** How long after its slot a check started, in milliseconds. */
  delayMs?: (index: number) => number;
}

/** Creates a monitor that seems to have been created two days ago and checked every five minutes until today. */
export async function pastMonitor(
  app: TestApp,
  api: Client,
  definition: Record<string, unknown> = {},
  { isDown = true, without = () => false, delayMs = () => 0 }: PastOptions = {},
): Promise<PastMonitor> {
  const today = dayStart(Date.now());
  const [firstDayMs, secondDayMs] = [today - 2 * DAY_MS, today - DAY_MS];
  const { id } = await createMonitor(
    api,
    httpMonitor('http://127.0.0.1:9/', {
      intervalSeconds: 300,
      failureThreshold: 1,
      paused: true,
      ...definition,
    }),
  );
  await app.query('UPDATE monitors SET created_at = $2 WHERE id = $1', [id, new Date(firstDayMs - HOUR_MS)]);
  const phase = phaseMs(id, HISTORY_INTERVAL_MS);
  const slotFrom = (ms: number): number => nextSlotAfter(phase, HISTORY_INTERVAL_MS, ms - 1);
  const outage = { from: slotFrom(secondDayMs + 10 * HOUR_MS), to: slotFrom(secondDayMs + 11 * HOUR_MS) };
  const slots: number[] = [];
  for (let slot = slotFrom(firstDayMs); slot < today; slot += HISTORY_INTERVAL_MS) slots.push(slot);
  const statusAt = (slot: number): ResultStatus => (isDown && outage.from <= slot && slot < outage.to ? 'down' : 'up');
  // One result before the first day, so that the state is known from the start of that day.
  const results = [slots[0]! - HISTORY_INTERVAL_MS, ...slots].flatMap((slot, index) =>
    without(slot, index - 1) ? [] : [resultOf(id, slot, slot + delayMs(index - 1), statusAt(slot))],
  );
  await app.backstage.provider<RecorderService>('RecorderService').record(results);
  const query = `from=${dateOf(firstDayMs)}&to=${dateOf(secondDayMs)}`;
  return { id, firstDayMs, secondDayMs, query, slots, outage };
}

/** Returns the result of a slot, or of a retry in it (`attempt` > 0). Only a passing one has a response time. */
export function resultOf(
  monitorId: string,
  scheduledAt: number,
  checkedAt: number,
  status: ResultStatus,
  { attempt = 0, responseTimeMs = 20, location = 'default' } = {},
): CheckResult {
  return {
    monitorId,
    location,
    revision: 1,
    intervalMs: HISTORY_INTERVAL_MS,
    epoch: 1,
    scheduledAt,
    checkedAt,
    attempt,
    status,
    trigger: attempt === 0 ? 'schedule' : 'retry',
    outcome: {
      statusCode: null,
      responseTimeMs: status === 'up' ? responseTimeMs : null,
      timings: NO_TIMINGS,
      remoteAddress: null,
      error: status === 'down' ? { code: 'connect_refused', message: 'The connection was refused.' } : null,
      failedAssertions: [],
    },
  };
}
