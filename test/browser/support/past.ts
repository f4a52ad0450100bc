import { type ResultStatus } from '../../../src/domain/check-result.js';
import { DAY_MS, HOUR_MS } from '../../../src/domain/durations.js';
import { phaseMs, slotAtOrBefore } from '../../../src/domain/schedule.js';
import { type CheckResult } from '../../../src/modules/checker/check-queue.js';
import { type RecorderService } from '../../../src/modules/checker/recorder.service.js';
import { type TestApp } from '../../support/app.js';
import { type MonitorContent, type Trouble } from './content.js';

/** Results per transaction. */
const BATCH = 5_000;
/** The factor between slow and usual response times. */
const SLOW = 6;

export interface Lived {
  id: string;
  intervalMs: number;
  content: MonitorContent;
}

/** Records past results of monitors until `nowMs` in order of time, in the same way as current ones. */
export async function recordPast(app: TestApp, monitors: readonly Lived[], nowMs: number): Promise<void> {
  for (const { id, content } of monitors) {
    const createdAt = new Date(nowMs - Math.max(content.days, 1) * DAY_MS);
    await app.query('UPDATE monitors SET created_at = $2 WHERE id = $1', [id, createdAt]);
  }
  const results = monitors
    .flatMap(placesOf)
    .flatMap((one) => resultsOf(one, nowMs))
    .sort((a, b) => a.scheduledAt - b.scheduledAt);
  const recorder = app.backstage.provider<RecorderService>('RecorderService');
  for (let at = 0; at < results.length; at += BATCH) await recorder.record(results.slice(at, at + BATCH));
}

/** A monitor as it is seen from one location. */
interface Seen extends Lived {
  location: string;
}

function placesOf(lived: Lived): Seen[] {
  const { content } = lived;
  if (!content.seenFrom) return [{ ...lived, location: 'default' }];
  return Object.entries(content.seenFrom).map(([location, { factor, troubles }]) => {
    return { ...lived, location, content: { ...content, usualMs: content.usualMs * factor, troubles } };
  });
}

function resultsOf({ id, intervalMs, content, location }: Seen, nowMs: number): CheckResult[] {
  if (content.days === 0) return [];
  const latest = slotAtOrBefore(phaseMs(id, intervalMs), intervalMs, nowMs);
  const count = Math.floor((content.days * DAY_MS) / intervalMs);
  return Array.from({ length: count }, (_, back) => {
    const slot = latest - (count - 1 - back) * intervalMs;
    // The latest check reflects the current state, however long the interval is.
    const hoursAgo = slot === latest ? 0 : (nowMs - slot) / HOUR_MS;
    return resultAt({ id, intervalMs, content, location }, slot, troubleAt(content.troubles, hoursAgo));
  });
}

/** Returns the trouble at a time; one that started less than its hours ago is ongoing. */
function troubleAt(troubles: readonly Trouble[], hoursAgo: number): Trouble | undefined {
  return troubles.find((one) => hoursAgo <= one.hoursAgo && hoursAgo >= one.hoursAgo - one.hours);
}

function resultAt({ id, intervalMs, content, location }: Seen, slot: number, trouble?: Trouble): CheckResult {
  const status: ResultStatus = trouble?.status ?? 'up';
  const tookMs = content.usualMs * wave(slot) * (status === 'degraded' ? SLOW : 1);
  const isDown = status === 'down';
  const phase = (share: number): number | null => (isDown ? null : Math.round(tookMs * share * 10) / 10);
  return {
    monitorId: id,
    location,
    revision: 1,
    intervalMs,
    epoch: 1,
    scheduledAt: slot,
    checkedAt: slot + 3,
    attempt: 0,
    status,
    trigger: 'schedule',
    outcome: {
      statusCode: content.definition.type === 'http' && !isDown ? 200 : null,
      responseTimeMs: phase(1),
      timings: {
        dnsMs: phase(0.05),
        connectMs: phase(0.15),
        tlsMs: phase(0.2),
        firstByteMs: phase(0.5),
        transferMs: phase(0.1),
      },
      remoteAddress: '203.0.113.7',
      error: isDown ? { code: trouble?.code ?? 'timeout', message: trouble?.message ?? '' } : null,
      failedAssertions: [],
    },
  };
}

/** Returns a factor for response times that varies over the day, with deterministic noise. */
function wave(slot: number): number {
  const ofDay = Math.sin(((slot % DAY_MS) / DAY_MS) * 2 * Math.PI);
  const unrest = ((slot / 1_000) * 7_919) % 101;
  return 1 + 0.15 * ofDay + unrest / 300;
}
