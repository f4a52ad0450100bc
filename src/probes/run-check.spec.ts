import { readFileSync } from 'node:fs';
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

function run(probe: (context: ProbeContext) => Promise<ProbeOutcome>, timeoutMs: number) {
  const definition = { ...PROBES[0]!, probe: (_: object, context: ProbeContext) => probe(context) } as ProbeDefinition;
  return runProbe(definition, {}, { timeoutMs, egress: testEgress() });
}

describe('runProbe', () => {
  it('hands on what the probe found', async () => {
    expect(await run(() => Promise.resolve(DOWN), 100)).toBe(DOWN);
  });

  it('aborts at the deadline', async () => {
    const startedAt = performance.now();
    const outcome = await run(
      ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(DOWN))),
      100,
    );
    expect(outcome).toBe(DOWN);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(95);
  });

  it.each<[string, () => Promise<ProbeOutcome>]>([
    ['a rejection', () => Promise.reject(Object.assign(new Error('secret'), { code: 'EMFILE' }))],
    ['a rejection without a code', () => Promise.reject(new Error('secret'))],
    ['a throw', () => JSON.parse('secret') as never],
  ])('%s is our fault', async (_, probe) => {
    const outcome = await run(probe, 100);
    expect(outcome.error?.code).toBe('checker_error');
    expect(outcome.error?.message).not.toContain('secret');
  });

  it('a check that was held up far past its deadline says nothing about the target', async () => {
    const outcome = await run(() => {
      const until = performance.now() + 2_200;
      while (performance.now() < until); // As if the process had been stopped.
      return Promise.resolve(DOWN);
    }, 100);
    expect(outcome.error?.code).toBe('checker_error');
  });

  it('ends without a probe that never does', async () => {
    expect((await run(() => new Promise(() => undefined), 50)).error?.code).toBe('checker_error');
  });
});

describe('the registry', () => {
  it('knows each type once', () => {
    expect(new Set(PROBES.map(({ type }) => type)).size).toBe(PROBES.length);
    for (const definition of PROBES) expect(probeOf(definition.type)).toBe(definition);
  });

  it('is what the README says', () => {
    const readme = readFileSync('README.md', 'utf8');
    for (const { type, summary } of PROBES) expect(readme).toContain(`| \`${type}\` | ${summary} |\n`);
  });

  it.each(['', 'constructor', '__proto__', 'HTTP'])('knows no type %j', (type) =>
    expect(probeOf(type)).toBeUndefined(),
  );
});
