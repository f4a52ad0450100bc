import { judge, type ResultStatus } from '../src/domain/check-result.js';
import { type FinishedProbe } from '../src/probes/thread/messages.js';
import { ProbeThread, type ThreadJob } from '../src/probes/thread/probe-thread.js';
import { BenchChild } from './child.js';
import { opened } from './opened.js';
import { keep, printTable, rounded } from './table.js';

const TICK_MS = 50;
/** Excluded from the figures, because the thread loads and compiles its code. */
const WARM_UP_MS = 5_000;
const TIMEOUT_MS = 1_000;
const DEGRADED_AFTER_MS = 300;
/** If the target responds this much later than requested, it lacked processor time itself: the check is not counted. */
const TARGET_LATE_MS = 10;

interface Kind {
  expected: ResultStatus;
  /** Milliseconds until the target responds; `null` if it never does. */
  answersAfter: () => number | null;
}

const between = (low: number, high: number) => (): number => low + Math.random() * (high - low);

const KINDS: Record<string, Kind> = {
  hangs: { expected: 'down', answersAfter: () => null },
  'answers at once': { expected: 'up', answersAfter: () => 0 },
  'answers after 205-280 ms': { expected: 'up', answersAfter: between(205, 280) },
  'answers after 320-400 ms': { expected: 'degraded', answersAfter: between(320, 400) },
};

interface Job extends ThreadJob {
  kind: string;
  number: number;
  url: string;
  answersAfter: number | null;
}

/**
 * Measures how often the result of a check on a busy machine differs from what the target served. The checks have a
 * timeout of one second and count as degraded after 300 ms; other processes use all the processor time they get.
 */
export async function benchBusy([seconds = '30', busy = '4', perSecond = '100']: string[]): Promise<void> {
  const target = await BenchChild.start('served-target.js', []);
  for (let loop = 0; loop < Number(busy); loop += 1) await BenchChild.start('busy-loop.js', []);
  const finished: FinishedProbe<Job>[] = [];
  const thread = await opened(
    () =>
      Promise.resolve(
        new ProbeThread<Job>({
          settings: {
            allowPrivateTargets: ['127.0.0.0/8'],
            forbidden: [],
            rdapBootstrapUrl: null,
            ownPorts: new Uint32Array(new SharedArrayBuffer(0)),
          },
          open: ({ url }) => ({ url }),
          onFinished: (some) => finished.push(...some),
          onFault: (error) => process.stderr.write(`${error.message}\n`),
          slotNow: () => Date.now(),
        }),
      ),
    (one) => one.stop(),
  );
  const sent = await send(thread, `http://127.0.0.1:${target.ready}`, Number(seconds) * 1_000, Number(perSecond));
  while (finished.length < sent.length) await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  const served = JSON.parse((await target.end())!) as Record<string, number>;
  const counted = finished.filter(({ job }) => sent[job.number]! > WARM_UP_MS);
  const figures = new Map(Object.keys(KINDS).map((name) => [name, tally(counted, name, served)]));
  process.stdout.write(`${busy} busy processes, ${perSecond} checks/s of each kind, ${seconds} s\n`);
  printTable(figures, ['checks', 'unknown', 'other', 'p50 ms', 'p99 ms']);
  await keep('busy', Object.fromEntries(figures));
}

/** Sends the checks and returns when each was sent, in milliseconds from the start. */
async function send(thread: ProbeThread<Job>, origin: string, forMs: number, perSecond: number): Promise<number[]> {
  const from = performance.now();
  const sent: number[] = [];
  for (let now = from; now < from + WARM_UP_MS + forMs; now = performance.now()) {
    const jobs: Job[] = [];
    while (sent.length < ((now - from) / 1_000) * perSecond * Object.keys(KINDS).length) {
      const [kind, { answersAfter }] = Object.entries(KINDS)[sent.length % Object.keys(KINDS).length]!;
      const ms = answersAfter();
      const number = sent.length;
      const url = ms === null ? `${origin}/hang` : `${origin}/${number}/${ms}`;
      const plan = { monitorId: `m${number}`, teamId: 't', revision: 1, type: 'http', timeoutMs: TIMEOUT_MS };
      jobs.push({ kind, number, url, answersAfter: ms, plan });
      sent.push(now - from);
    }
    if (jobs.length > 0) thread.run(jobs);
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  }
  return sent;
}

function tally(finished: readonly FinishedProbe<Job>[], name: string, served: Record<string, number>) {
  const own = finished.filter(({ job }) => {
    if (job.kind !== name) return false;
    return job.answersAfter === null || (served[job.number] ?? 0) < job.answersAfter + TARGET_LATE_MS;
  });
  const statuses = own.map(({ outcome }) => judge(outcome, DEGRADED_AFTER_MS));
  const times = own.flatMap(({ outcome }) => outcome.responseTimeMs ?? []).sort((a, b) => a - b);
  const at = (share: number): number => rounded(times[Math.floor(share * times.length)] ?? NaN);
  return {
    checks: own.length,
    unknown: statuses.filter((status) => status === 'unknown').length,
    other: statuses.filter((status) => status !== 'unknown' && status !== KINDS[name]!.expected).length,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
  };
}
