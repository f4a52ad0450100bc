import { DataSource } from 'typeorm';
import { setTimeout as delay } from 'node:timers/promises';
import { type CheckResult } from '../src/modules/checker/check-queue.js';
import { RecorderService } from '../src/modules/checker/recorder.service.js';
import { INTERVAL_SECONDS } from './dataset/monitors.js';
import { context } from './service.js';

/** Batches per second, as many as the service forms from a steady stream. */
const BATCHES = 10;

/**
 * Records results of all monitors in turn, like the recorder of a running service, at the rate given as the third
 * argument. Prints a line after the first batch. When its standard input ends, prints how many results it recorded, and
 * exits.
 */
const [databaseUrl = '', secretKey = '', perSecond = '1000'] = process.argv.slice(2);
const app = await context({ databaseUrl, secretKey });
const recorder = app.get(RecorderService, { strict: false });
const rows: { id: string }[] = await app
  .get(DataSource)
  .query('SELECT id FROM monitors WHERE paused_at IS NULL ORDER BY md5(id::text)');
let stopping = false;
process.stdin.resume();
process.stdin.on('end', () => (stopping = true));

const size = Math.round(Number(perSecond) / BATCHES);
const beganAt = performance.now();
let recorded = 0;
for (let batch = 0; !stopping; batch += 1) {
  const ids = Array.from({ length: size }, (_, place) => rows[(batch * size + place) % rows.length]!.id);
  recorded += await recorder.record(ids.map((id, place) => result(id, place)));
  if (batch === 0) process.stdout.write('writing\n');
  // Relative to the start, so that a slow batch is caught up with.
  await delay(Math.max(0, beganAt + ((batch + 1) * 1_000) / BATCHES - performance.now()));
}
const seconds = (performance.now() - beganAt) / 1_000;
process.stdout.write(`${JSON.stringify({ recorded, perSecond: Math.round(recorded / seconds) })}\n`);
await app.close();
process.exit(0);

function result(monitorId: string, place: number): CheckResult {
  const now = Date.now();
  const fails = Math.random() < 0.005;
  const responseTimeMs = fails ? null : 20 + (place % 100) * 3;
  return {
    monitorId,
    scheduledAt: now,
    checkedAt: now + 2,
    location: 'default',
    attempt: 0,
    trigger: 'schedule',
    revision: 1,
    intervalMs: INTERVAL_SECONDS * 1_000,
    epoch: 1,
    status: fails ? 'down' : 'up',
    thresholds: { failureThreshold: 2, recoveryThreshold: 1 },
    outcome: {
      statusCode: fails ? null : 200,
      responseTimeMs,
      timings: { dnsMs: 0.4, connectMs: 1.2, tlsMs: null, firstByteMs: responseTimeMs, transferMs: 0.3 },
      remoteAddress: '203.0.113.7',
      error: fails ? { code: 'connect_refused', message: 'The connection was refused.' } : null,
      failedAssertions: [],
    },
  };
}
