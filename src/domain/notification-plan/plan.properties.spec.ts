import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { forecast } from './forecast.js';
import { propertyRuns } from '../../../test/support/property-runs.js';
import { historyOf, run, type Scenario, type Send, timeOf } from '../../../test/support/notification-scenario.js';

const SECONDS = 3_600;
const at = fc.integer({ min: 0, max: SECONDS });
const spans = fc.array(fc.tuple(at, fc.integer({ min: 1, max: 1_200 })), { maxLength: 2 });
const channel = fc.constantFrom('a', 'b', 'c');
const anyPolicy = fc.record({
  steps: fc.array(fc.tuple(fc.integer({ min: 0, max: 900 }), fc.array(channel, { minLength: 1, maxLength: 2 })), {
    minLength: 1,
    maxLength: 3,
  }),
  repeatEverySeconds: fc.option(fc.integer({ min: 300, max: 1_800 })),
  /** Minutes of the day; the incident is recorded at 12:00. */
  quiet: fc.option(fc.tuple(fc.integer({ min: 690, max: 760 }), fc.integer({ min: 690, max: 760 }))),
  disabledAt: fc.option(at, { freq: 6 }),
});
const anyScenario: fc.Arbitrary<Scenario> = fc.record({
  policies: fc.array(anyPolicy, { maxLength: 3 }),
  acknowledgements: fc.array(fc.tuple(at, fc.option(fc.integer({ min: 1, max: 900 }))), { maxLength: 2 }),
  silences: spans,
  maintenance: spans,
  ups: spans,
  parentDown: fc.option(fc.tuple(at, fc.integer({ min: 1, max: 900 }))),
  end: fc.option(fc.tuple(at, fc.constantFrom('resolved' as const, 'paused' as const)), { freq: 3 }),
  retractedAt: fc.option(at, { freq: 1 }),
  channels: fc.dictionary(
    channel,
    fc.record({
      /** Attempts in these spans fail. */
      fails: spans,
      /** No attempt is made in these spans. */
      sleeps: spans,
      refuses: fc.boolean(),
      loses: fc.boolean(),
    }),
  ),
});

const opens = ({ kind }: Send) => kind === 'trigger' || kind === 'repeat';
type Outcome = ReturnType<typeof run>;
const ends = ({ kind }: Send) => kind === 'resolve' || kind === 'correction';

/** Notifications are computed for three hours, and each moment of them takes a plan. */
const RUNS = propertyRuns(300);

describe('plan', () => {
  it('keeps its promises in every history', () => {
    fc.assert(
      fc.property(anyScenario, (scenario) => {
        const outcome = run(scenario);
        expectOneEndEach(scenario, outcome);
        expectNothingTwice(outcome);
        expectWaits(scenario, outcome);
        expectNothingLost(scenario, outcome);
      }),
      RUNS,
    );
  });

  it('does not depend on how often it is computed', () => {
    fc.assert(
      fc.property(anyScenario, fc.array(at, { maxLength: 20 }), (scenario, times) => {
        expect(run(scenario, times).sends).toEqual(run(scenario).sends);
      }),
      RUNS,
    );
  });
});

describe('forecast', () => {
  it('returns from the whole history what was sent while it happened', () => {
    fc.assert(
      fc.property(anyScenario, (any) => {
        const policies = any.policies.map((one) => ({ ...one, disabledAt: null }));
        const scenario = { ...any, policies, channels: {} };
        const { facts, policies: rules, untilMs } = historyOf(scenario);
        const { sent, isComplete } = forecast(facts, rules, untilMs);
        const told = sent.map(({ key, dueAt }) => `${dueAt} ${key}`).sort();
        expect(told).toEqual(
          run(scenario)
            .sends.map((send) => `${timeOf(send)} ${send.key}`)
            .sort(),
        );
        expect(isComplete).toBe(true);
      }),
      RUNS,
    );
  });
});

/** Each alert that was attempted on a channel ends there exactly once, and nobody hears of the end of another. */
function expectOneEndEach({ end, retractedAt }: Scenario, { sends, replaced }: Outcome): void {
  const isClosed = end !== null || retractedAt !== null;
  for (const id of new Set(sends.map(({ channelId }) => channelId))) {
    const own = sends.filter(({ channelId }) => channelId === id);
    const isOpened = own.some(opens);
    const endings = own.filter(ends);
    if (!isOpened) {
      // Only a message that reports the outage and its end may come first.
      expect(endings.every(({ kind, key }) => kind === 'correction' || replaced.has(key))).toBe(true);
      expect(own.some(({ kind }) => kind === 'acknowledged')).toBe(false);
    } else if (isClosed) {
      expect(endings.some(({ kind }) => kind === 'correction')).toBe(retractedAt !== null);
      expect(endings.length).toBeGreaterThan(0);
      expect(own.findLastIndex(opens)).toBeLessThan(own.findIndex(ends));
    } else {
      expect(endings).toEqual([]);
    }
  }
}

/** Nothing is sent again after it was sent or given up. */
function expectNothingTwice({ sends }: Outcome): void {
  const settled = new Set<string>();
  for (const { key, outcome } of sends) {
    expect(settled.has(key)).toBe(false);
    if (outcome === 'sent' || outcome === 'refused') settled.add(key);
  }
}

/** Steps and repeats are sent neither while it is acknowledged or silenced, nor while the monitor is up. */
function expectWaits({ silences, ups, acknowledgements }: Scenario, { sends }: Outcome): void {
  // Flapping can end an acknowledgement before it expires.
  const waits = [...silences, ...ups, ...(ups.length === 0 ? acknowledgements : [])];
  for (const send of sends.filter(opens)) {
    const during = waits.filter(([from, length]) => send.at >= from && (length === null || send.at < from + length));
    expect(during).toEqual([]);
  }
}

/** The first step of every policy was attempted, or a row says why not; what waits for a time is looked at then. */
function expectNothingLost({ policies }: Scenario, { sends, last, now }: Outcome): void {
  for (const [index, { steps }] of policies.entries()) {
    const [first] = [...steps].sort((a, b) => a[0] - b[0]);
    for (const id of first![1]) {
      const key = `i/1/trigger/p${index}/1/0/${id}`;
      const row = last.notifications.find((one) => one.key === key);
      expect(sends.some((one) => one.key === key) || (row?.reason ?? null) !== null).toBe(true);
    }
  }
  for (const { status, reason, dueAt } of last.notifications) {
    if (status !== 'held') continue;
    if (reason === 'quiet_hours' || reason === 'silenced') expect(dueAt).not.toBeNull();
    if (dueAt === null) continue;
    expect(dueAt).toBeGreaterThan(now);
    expect(last.lookAgainAt).toBeLessThanOrEqual(dueAt);
  }
}
