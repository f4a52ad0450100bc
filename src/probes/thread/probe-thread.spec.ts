import { afterEach, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { type Worker } from 'node:worker_threads';
import { eventually } from '../../../test/support/eventually.js';
import { rawTarget, type RawTarget, testCertificate, textAnswer } from '../../../test/support/raw-target.js';
import { type FinishedProbe } from './messages.js';
import { type CheckedPlan, ProbeThread, type ThreadJob, type ThreadOptions } from './probe-thread.js';

const running: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of running.splice(0)) await one.close();
});

interface Job extends ThreadJob {
  definition: object;
}

interface Scene {
  thread: ProbeThread<Job>;
  /** By monitor, in the order of arrival. */
  finished: FinishedProbe<Job>[];
  faults: Error[];
}

function scene(options: Partial<ThreadOptions<Job>> = {}): Scene {
  const finished: Scene['finished'] = [];
  const faults: Error[] = [];
  const thread = new ProbeThread<Job>({
    settings: {
      allowPrivateTargets: ['127.0.0.0/8'],
      forbidden: [],
      rdapBootstrapUrl: null,
      ownPorts: new Uint32Array(new SharedArrayBuffer(0)),
    },
    open: ({ definition }) => definition,
    onFinished: (some) => finished.push(...some),
    onFault: (error) => faults.push(error),
    slotNow: () => Date.now(),
    ...options,
  });
  running.push({ close: () => thread.stop() });
  return { thread, finished, faults };
}

async function target(): Promise<RawTarget> {
  const one = await rawTarget(textAnswer('ok'));
  running.push(one);
  return one;
}

function job(monitorId: string, url: string, more: Partial<CheckedPlan & Pick<Job, 'definition'>> = {}): Job {
  const { definition = { url }, ...changes } = more;
  return { plan: { monitorId, teamId: 'team', revision: 1, type: 'http', timeoutMs: 10_000, ...changes }, definition };
}

it('reports the certificate of a target with few of the checks', async () => {
  const served = await rawTarget(textAnswer('ok'), testCertificate('expired'));
  running.push(served);
  const { thread, finished } = scene();
  const one = job('monitor', served.origin);
  const expected: boolean[] = [];
  // An expired certificate fails the check, but is reported all the same; then again when a user asks for a check.
  for (const [trigger, isReported] of [
    ['schedule', true],
    ['schedule', false],
    ['manual', true],
  ] as const) {
    thread.run([{ ...one, trigger }]);
    expected.push(isReported);
    await eventually(() => expect(finished.map(({ certificate }) => certificate !== undefined)).toEqual(expected));
  }
  expect(finished[0]).toMatchObject({
    outcome: { error: { code: 'tls_expired' } },
    certificate: { validUntil: Date.UTC(2002, 0, 1), fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) },
  });
  thread.run([job('monitor', served.origin, { revision: 2 })]);
  await eventually(() => expect(finished[3]?.certificate).toEqual(finished[0]!.certificate));
});

it('finishes each check once, with the outcome of the probe', async () => {
  const served = await target();
  const { origin } = served;
  const { thread, finished, faults } = scene();
  const jobs = Array.from({ length: 300 }, (_, index) => job(`monitor-${index % 100}`, `${origin}/${index % 100}`));
  const before = Date.now();
  thread.run(jobs.slice(0, 200));
  thread.run(jobs.slice(200));
  await eventually(() => expect(finished).toHaveLength(300));
  expect(new Set(finished.map((one) => one.job))).toEqual(new Set(jobs));
  expect(served.connections()).toBe(300);
  for (const { outcome, checkedAt, durationMs } of finished) {
    expect(outcome).toMatchObject({ statusCode: 200, error: null, failedAssertions: [], remoteAddress: '127.0.0.1' });
    expect(outcome.timings).toMatchObject({ dnsMs: null, tlsMs: null, connectMs: expect.any(Number) });
    expect(checkedAt).toBeGreaterThanOrEqual(before - 1);
    expect(checkedAt).toBeLessThanOrEqual(Date.now());
    expect(durationMs).toBeGreaterThanOrEqual(outcome.responseTimeMs! - 0.2);
  }
  expect({ faults, open: thread.open }).toEqual({ faults: [], open: 0 });
});

it('never dates a check before the slot clock was read, even if the reading was delayed', async () => {
  const { origin } = await target();
  const readings: number[] = [];
  const heldUpAfterReading = (): number => {
    const now = Date.now();
    readings.push(now);
    for (const until = performance.now() + 20; performance.now() < until;);
    return now;
  };
  const { thread, finished } = scene({ slotNow: heldUpAfterReading });
  thread.run([job('a', origin)]);
  await eventually(() => expect(finished).toHaveLength(1));
  expect(finished[0]!.checkedAt).toBeGreaterThanOrEqual(readings[0]!);
});

it('repeats the readings of its clocks if the process was suspended between them', async () => {
  const { origin } = await target();
  let suspensions = 2;
  const { thread, finished } = scene({
    slotNow: () => {
      const now = Date.now();
      if (suspensions-- > 0) for (const until = performance.now() + 500; performance.now() < until;);
      return now;
    },
  });
  thread.run([job('a', origin)]);
  await eventually(() => expect(finished).toHaveLength(1));
  expect(finished[0]!.checkedAt).toBeLessThanOrEqual(Date.now());
});

it('reports errors and failed assertions', async () => {
  const { origin } = await target();
  const { thread, finished } = scene();
  const assertions = [{ source: 'textBody', comparison: 'contains', target: 'none' }];
  thread.run([
    job('asserted', origin, { definition: { url: origin, assertions } }),
    job('refused', 'http://127.0.0.1:9/'),
    job('blocked', 'http://10.0.0.1/'),
  ]);
  await eventually(() => expect(finished).toHaveLength(3));
  const codeOf = Object.fromEntries(finished.map((one) => [one.job.plan.monitorId, one.outcome.error?.code]));
  expect(codeOf).toEqual({ asserted: 'assertion_failed', refused: 'connect_refused', blocked: 'address_blocked' });
  expect(finished.find((one) => one.job.plan.monitorId === 'asserted')?.outcome.failedAssertions).toMatchObject([
    { index: 0 },
  ]);
});

it('opens a definition once per revision, and uses the next revision', async () => {
  const { origin, requests } = await target();
  const opened: number[] = [];
  const { thread, finished } = scene({
    open: ({ definition, plan }) => {
      opened.push(plan.revision);
      return definition;
    },
  });
  for (const revision of [1, 1, 2, 2, 1]) {
    thread.run([job('changed', `${origin}/${revision}`, { revision })]);
    const { length } = finished;
    await eventually(() => expect(finished).toHaveLength(length + 1));
  }
  expect(opened).toEqual([1, 2, 1]);
  expect(requests.map((head) => head.split(' ')[1])).toEqual(['/1', '/1', '/2', '/2', '/1']);
});

it('reports a check that cannot be run as checker_error, and does not delay others', async () => {
  const { origin } = await target();
  const { thread, finished, faults } = scene({
    open: ({ plan: { monitorId }, definition }) => {
      if (monitorId === 'sealed') throw new Error('sealed with another key');
      return definition;
    },
  });
  thread.run([job('sealed', origin), job('unknown', origin, { type: 'telepathy' }), job('sound', origin)]);
  await eventually(() => expect(finished).toHaveLength(3));
  const codeOf = Object.fromEntries(finished.map((one) => [one.job.plan.monitorId, one.outcome.error?.code ?? null]));
  expect(codeOf).toEqual({ sealed: 'checker_error', unknown: 'checker_error', sound: null });
  expect(faults).toHaveLength(1);
});

it('replaces a thread that terminates, and runs its checks again a limited number of times', async () => {
  const { origin, requests } = await target();
  const silent = await blackHole();
  const { thread, finished } = scene();
  thread.run([job('under way', silent), job('too', silent)]);
  for (const times of [1, 2, 3, 4]) {
    await eventually(() => expect(thread.figures.replaced).toBe(times - 1));
    thread.run([job(`company ${times}`, origin)]);
    await eventually(() => expect(requests).toHaveLength(times));
    await eventually(() => expect(thread.open).toBe(2));
    await (Reflect.get(thread, 'worker') as Worker).terminate();
  }
  await eventually(() => expect(finished).toHaveLength(6));
  const codeOf = Object.fromEntries(finished.map((one) => [one.job.plan.monitorId, one.outcome.error?.code ?? null]));
  expect(codeOf).toMatchObject({ 'under way': 'checker_error', too: 'checker_error', 'company 4': null });
  thread.run([job('after', origin)]);
  await eventually(() => expect(finished).toHaveLength(7));
  expect(finished.at(-1)!.outcome).toMatchObject({ statusCode: 200, error: null });
});

it('replaces a blocked thread, holds back the check that blocked it, and runs the others again', async () => {
  const { origin, requests } = await target();
  const { thread, finished, faults } = scene({
    entry: new URL('../../../test/support/stalling-probe-thread.js', import.meta.url),
  });
  const endless = job('guilty', `${origin}/endless`);
  thread.run([job('innocent', origin), endless, job('too', origin)]);
  await eventually(() => expect(finished).toHaveLength(3), 20_000);
  const codeOf = Object.fromEntries(finished.map((one) => [one.job.plan.monitorId, one.outcome.error?.code ?? null]));
  expect(codeOf).toEqual({ innocent: null, guilty: 'checker_error', too: null });
  expect(thread.figures.replaced).toBe(1);
  expect(faults.map(({ message }) => message).join()).toContain('monitor guilty');

  const before = requests.length;
  thread.run([endless, job('innocent', origin)]);
  await eventually(() => expect(finished).toHaveLength(5));
  expect(finished.filter(({ job }) => job.plan.monitorId === 'guilty').at(-1)!.outcome.error).toMatchObject({
    code: 'checker_error',
    message: expect.stringContaining('suspended'),
  });
  expect(requests.slice(before).some((head) => head.includes('endless'))).toBe(false);
  expect(thread.figures.replaced).toBe(1);

  // The definition has been corrected.
  thread.run([job('guilty', origin, { revision: 2 })]);
  await eventually(() => expect(finished).toHaveLength(6));
  expect(finished.at(-1)!.outcome.error).toBeNull();
}, 30_000);

it('does not delay 300 responsive targets because of 1,200 unresponsive ones', async () => {
  const { origin } = await target();
  const silent = await blackHole();
  const { thread, finished } = scene();
  const dead = Array.from({ length: 1_200 }, (_, index) => job(`dead-${index}`, silent, { timeoutMs: 20_000 }));
  const alive = Array.from({ length: 300 }, (_, index) => job(`alive-${index}`, origin));
  thread.run(dead);
  thread.run(alive);
  // Long before the first of the others times out.
  await eventually(() => expect(finished).toHaveLength(300), 15_000);
  expect(
    finished.every(({ job: { plan }, outcome }) => plan.monitorId.startsWith('alive') && outcome.error === null),
  ).toBe(true);
  expect(thread.open).toBe(1_200);
}, 30_000);

it('does not load NestJS, which would take longer than everything else', () => {
  const probes = new URL('../', import.meta.url);
  const files = readdirSync(probes, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!spec)\.js$/.test(file),
  );
  expect(files.length).toBeGreaterThan(30);
  for (const file of files) expect(readFileSync(new URL(file, probes), 'utf8')).not.toContain('@nestjs/');
});

/** Starts a server that accepts connections and never responds. */
async function blackHole(): Promise<string> {
  const open = new Set<Socket>();
  const server: Server = createServer((socket) => open.add(socket.on('error', () => undefined).resume()));
  await new Promise<void>((resolve) => server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, resolve));
  running.push({
    close: () => {
      for (const socket of open) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    },
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
