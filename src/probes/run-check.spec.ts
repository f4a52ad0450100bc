import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import { describe, expect, it } from '@jest/globals';
import { testEgress } from '../../test/support/probe-run.js';
import { NO_TIMINGS, type ProbeOutcome } from '../domain/check-result.js';
import { PROBES, probeOf } from './index.js';
import { type ProbeContext, type ProbeDefinition } from './probe.js';
import { runProbe } from './run-check.js';

const DOWN: ProbeOutcome = {
  statusCode: null,
  responseTimeMs: null,
  timings: NO_TIMINGS,
  remoteAddress: null,
  error: { code: 'timeout', message: 'late' },
  failedAssertions: [],
};

function run(probe: (context: ProbeContext) => Promise<ProbeOutcome>, timeoutMs: number, lagMs?: () => number) {
  const definition = { ...PROBES[0]!, probe: (_: object, context: ProbeContext) => probe(context) } as ProbeDefinition;
  return runProbe(definition, {}, { timeoutMs, egress: testEgress(), lagMs });
}

describe('runProbe', () => {
  it("returns the probe's outcome", async () => {
    expect(await run(() => Promise.resolve(DOWN), 100)).toBe(DOWN);
  });

  it('notifies the probe when the deadline is reached', async () => {
    const startedAt = performance.now();
    const outcome = await run(({ deadline }) => new Promise((resolve) => deadline.on(() => resolve(DOWN))), 100);
    expect(outcome).toBe(DOWN);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(95);
  });

  it.each<[string, () => Promise<ProbeOutcome>]>([
    ['a rejection', () => Promise.reject(Object.assign(new Error('secret'), { code: 'EMFILE' }))],
    ['a rejection without a code', () => Promise.reject(new Error('secret'))],
    ['a throw', () => JSON.parse('secret') as never],
  ])('reports %s as checker_error', async (_, probe) => {
    const outcome = await run(probe, 100);
    expect(outcome.error?.code).toBe('checker_error');
    expect(outcome.error?.message).not.toContain('secret');
  });

  it('reports a check that was held up far past its deadline as checker_error', async () => {
    const outcome = await run(() => {
      const until = performance.now() + 2_200;
      while (performance.now() < until); // Simulates a process that was stopped.
      return Promise.resolve(DOWN);
    }, 100);
    expect(outcome.error?.code).toBe('checker_error');
  });

  it.each([
    ['ran out of time', 'timeout', 0, 'timeout'],
    ['ran out of time after delays of up to a fifth of it', 'timeout', 20, 'timeout'],
    ['ran out of time after longer delays', 'timeout', 21, 'checker_error'],
    ['could not resolve a name after longer delays', 'dns_failed', 21, 'checker_error'],
    ['was refused after longer delays', 'connect_refused', 60, 'connect_refused'],
  ] as const)('judges correctly a check that %s', async (_, code, lagMs, expected) => {
    const outcome = await run(
      async ({ clock }) => {
        await delay(lagMs + 10);
        clock.lap('connectMs');
        return { ...DOWN, error: { code, message: 'late' } };
      },
      100,
      () => lagMs,
    );
    expect(outcome.error?.code).toBe(expected);
  });

  it('reports a timeout if the thread was late only while it had nothing to do', async () => {
    const outcome = await run(
      ({ deadline }) => new Promise((resolve) => deadline.on(() => resolve(DOWN))),
      100,
      () => 90,
    );
    expect(outcome).toBe(DOWN);
  });

  it('reads data that arrived before the deadline, even if the thread is late', async () => {
    const up = { ...DOWN, error: null };
    const { port1, port2 } = new MessageChannel();
    const outcome = await run(({ deadline }) => {
      return new Promise((resolve) => {
        deadline.on(() => resolve(DOWN));
        port2.once('message', () => resolve(up));
        setTimeout(() => {
          port1.postMessage('an answer');
          for (const until = performance.now() + 150; performance.now() < until;);
        }, 50);
      });
    }, 100);
    port1.close();
    expect(outcome).toBe(up);
  });

  it('settles even if the probe never does', async () => {
    expect((await run(() => new Promise(() => undefined), 50)).error?.code).toBe('checker_error');
  });
});

describe('the registry', () => {
  it('contains each type once', () => {
    expect(new Set(PROBES.map(({ type }) => type)).size).toBe(PROBES.length);
    for (const definition of PROBES) expect(probeOf(definition.type)).toBe(definition);
  });

  it('agrees with the README', () => {
    const readme = readFileSync('README.md', 'utf8');
    for (const { type, summary } of PROBES) expect(readme).toContain(`| \`${type}\` | ${summary} |\n`);
  });

  it.each(['', 'constructor', '__proto__', 'HTTP'])('contains no type %j', (type) =>
    expect(probeOf(type)).toBeUndefined(),
  );
});
