import { mkdir, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { type FinishedCheck } from '../src/modules/checker/finished-checks.service.js';
import { CheckTallies } from '../src/modules/metrics/check-tallies.js';
import { MonitorSeries } from '../src/modules/metrics/monitor-series.js';
import { median } from './load.js';

const MONITORS = 10_000;
const BATCH = 100;
const PASSES = 20;

/** Measures the cost of metrics: CPU time per counted check, and a scrape with metrics of 10,000 monitors. */
export async function benchMetrics(rounds: number): Promise<void> {
  const ids = Array.from({ length: MONITORS }, () => randomUUID());
  const tallies = new CheckTallies();
  const series = new MonitorSeries(() => true);
  const batches = Array.from({ length: MONITORS / BATCH }, (_, batch) =>
    ids.slice(batch * BATCH, (batch + 1) * BATCH).map(checkOf),
  );
  const runs: Record<string, number>[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    // Results are counted as they arrive, so the CPU cache holds the data of one batch, not of all monitors in turn.
    const tallyUs = cpuOf(() => batches.forEach(() => tallies.take(batches[0]!)));
    const seriesUs = cpuOf(() => batches.forEach((batch) => series.take(batch)));
    series.name(ids.map((id, index) => ({ ...NAME, id, key: `shop-${index}`, name: `Shop ${index}, checkout` })));
    const scraped = await scrape(series);
    // The first round is a warm-up.
    if (round > 0) runs.push({ tallyUs, seriesUs, ...scraped });
  }
  const names = Object.keys(runs[0]!);
  const medians = Object.fromEntries(names.map((name) => [name, median(runs.map((run) => run[name]!))]));
  process.stdout.write(
    `counting a check          ${medians.tallyUs!.toFixed(2)} µs CPU
noting its monitor        ${medians.seriesUs!.toFixed(2)} µs CPU
scrape of ${MONITORS} monitors  ${medians.scrapeCpuMs!.toFixed(0)} ms CPU, ${(medians.scrapeBytes! / 1e6).toFixed(1)} MB
its longest piece         ${medians.longestPieceMs!.toFixed(1)} ms\n`,
  );
  await mkdir('build/bench', { recursive: true });
  await writeFile('build/bench/metrics.json', `${JSON.stringify({ monitors: MONITORS, medians, runs }, null, 2)}\n`);
}

const NAME = { revision: 1, teamId: 't', team: 'Acme Shops', type: 'http' };

function checkOf(monitorId: string, index: number): FinishedCheck {
  const timings = { dnsMs: 1.2, connectMs: 10 + index, tlsMs: 25.5, firstByteMs: 40 + index, transferMs: 3.3 };
  return {
    monitorId,
    scheduledAt: 1_000,
    location: 'default',
    attempt: 0,
    trigger: 'schedule',
    revision: 1,
    epoch: 1,
    intervalMs: 60_000,
    checkedAt: 1_020,
    status: 'up',
    type: 'http',
    durationMs: 80.123 + index,
    outcome: {
      statusCode: 200,
      responseTimeMs: 80 + index,
      timings,
      remoteAddress: '192.0.2.1',
      error: null,
      failedAssertions: [],
    },
  };
}

/** Returns the microseconds of CPU time per check of a pass over all monitors. */
function cpuOf(pass: () => void): number {
  const before = process.cpuUsage();
  for (let time = 0; time < PASSES; time += 1) pass();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / (PASSES * MONITORS);
}

async function scrape(series: MonitorSeries): Promise<Record<string, number>> {
  const before = process.cpuUsage();
  const pieces = series.text();
  let scrapeBytes = 0;
  let longestPieceMs = 0;
  for (;;) {
    // Measures from one turn of the event loop to the next.
    const startedAt = performance.eventLoopUtilization().active;
    const next = await pieces.next();
    if (next.done) break;
    longestPieceMs = Math.max(longestPieceMs, performance.eventLoopUtilization().active - startedAt);
    scrapeBytes += Buffer.byteLength(next.value);
  }
  const { user, system } = process.cpuUsage(before);
  return { scrapeCpuMs: (user + system) / 1_000, scrapeBytes, longestPieceMs };
}
