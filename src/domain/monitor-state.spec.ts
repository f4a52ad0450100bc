import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type ResultStatus } from './check-result.js';
import {
  advance,
  compareResults,
  condensed,
  confirmation,
  fold,
  isSettledAs,
  PENDING_STATE,
  verifying,
  type FoldedResult,
  type LocationState,
  type StatePolicy,
  type Transition,
} from './monitor-state.js';

const MONITOR_ID = '01932d3e-7b4c-7d1f-8a2b-3c4d5e6f7081';
const STATUSES: Record<string, ResultStatus> = { u: 'up', g: 'degraded', d: 'down', '?': 'unknown' };

function policy(failureThreshold: number, recoveryThreshold: number): StatePolicy {
  return { monitorId: MONITOR_ID, failureThreshold, recoveryThreshold, excused: [] };
}

function result(status: ResultStatus, checkedAt: number): FoldedResult {
  const error = status === 'down' ? ({ code: 'timeout', message: `at ${checkedAt}` } as const) : null;
  return { status, checkedAt, scheduledAt: checkedAt, attempt: 0, intervalMs: 10, error };
}

/** Returns one result every 10 ms from 10 on: `u` up, `g` degraded, `d` down, `?` unknown; spaces are ignored. */
function results(text: string): FoldedResult[] {
  return [...text.replaceAll(' ', '')].map((letter, i) => result(STATUSES[letter]!, (i + 1) * 10));
}

/** `down@30<40`: down since 30, confirmed at 40. */
function written(transitions: Transition[]): string {
  return transitions.map(({ to, at, confirmedAt }) => `${to}@${at}<${confirmedAt}`).join(' ');
}

describe('the state at one location', () => {
  it('is confirmed by the thresholds that applied to each result', () => {
    const thresholds = (failureThreshold: number) => ({ failureThreshold, recoveryThreshold: 1 });
    const given = results('u dd dd').map((one, index) => ({ ...one, thresholds: thresholds(index < 3 ? 4 : 2) }));
    expect(written(fold(PENDING_STATE, given, policy(1, 1)).transitions)).toBe('up@10<10 down@20<40');
    const strict = given.map((one) => ({ ...one, thresholds: thresholds(5) }));
    expect(written(fold(PENDING_STATE, strict, policy(1, 1)).transitions)).toBe('up@10<10');
    const unknown = given.map((one) => ({ ...one, thresholds: null }));
    expect(written(fold(PENDING_STATE, unknown, policy(3, 1)).transitions)).toBe('up@10<10 down@20<40');
  });

  it.each<[number, number, string, string, string, string | null]>([
    // failures to confirm, passes to confirm, results, transitions, status, verifying
    [2, 1, '', '', 'pending', null],
    [2, 1, '???', '', 'pending', null],
    [2, 1, 'u', 'up@10<10', 'up', null],
    [2, 1, 'g', 'degraded@10<10', 'degraded', null],
    [2, 1, 'd', '', 'pending', 'down'],
    [2, 1, 'dd', 'down@10<20', 'down', null],
    [1, 1, 'd', 'down@10<10', 'down', null],
    [2, 3, 'uu', '', 'pending', 'up'],
    [2, 3, 'gg', '', 'pending', 'degraded'],
    [2, 3, 'gug', 'up@10<30', 'up', 'degraded'],
    [2, 3, 'ggg', 'degraded@10<30', 'degraded', null],
    [2, 2, 'du', '', 'pending', 'up'],
    // from up
    [2, 1, 'u d', 'up@10<10', 'up', 'down'],
    [2, 1, 'u dd', 'up@10<10 down@20<30', 'down', null],
    [2, 1, 'u dud', 'up@10<10', 'up', 'down'],
    [3, 1, 'u d?d??d', 'up@10<10 down@20<70', 'down', null],
    [2, 1, 'u ddd', 'up@10<10 down@20<30', 'down', null],
    [2, 1, 'u g', 'up@10<10', 'up', 'degraded'],
    [2, 1, 'u gg', 'up@10<10 degraded@20<30', 'degraded', null],
    [2, 1, 'u g?g', 'up@10<10 degraded@20<40', 'degraded', null],
    [2, 1, 'u gug', 'up@10<10', 'up', 'degraded'],
    [2, 1, 'u gdg', 'up@10<10', 'up', 'degraded'],
    [2, 1, 'u gdd', 'up@10<10 down@30<40', 'down', null],
    // from degraded
    [2, 1, 'g u', 'degraded@10<10 up@20<20', 'up', null],
    [2, 2, 'gg u', 'degraded@10<20', 'degraded', 'up'],
    [2, 2, 'gg ugu', 'degraded@10<20', 'degraded', 'up'],
    [2, 2, 'gg udu', 'degraded@10<20', 'degraded', 'up'],
    [2, 2, 'gg u?u', 'degraded@10<20 up@30<50', 'up', null],
    [2, 1, 'g dd', 'degraded@10<10 down@20<30', 'down', null],
    // from down
    [2, 1, 'dd u', 'down@10<20 up@30<30', 'up', null],
    [2, 1, 'dd g', 'down@10<20 degraded@30<30', 'degraded', null],
    [2, 2, 'dd u', 'down@10<20', 'down', 'up'],
    [2, 2, 'dd g', 'down@10<20', 'down', 'degraded'],
    [2, 2, 'dd udu', 'down@10<20', 'down', 'up'],
    [2, 2, 'dd u?u', 'down@10<20 up@30<50', 'up', null],
    [2, 2, 'dd gg', 'down@10<20 degraded@30<40', 'degraded', null],
    [2, 2, 'dd gu', 'down@10<20 up@30<40', 'up', null],
    [2, 2, 'dd ug', 'down@10<20 up@30<40', 'up', 'degraded'],
    // the slow run began before the recovery was confirmed, and is confirmed by the next slow result
    [2, 3, 'dd ugg', 'down@10<20 up@30<50', 'up', 'degraded'],
    [2, 3, 'dd ugg g', 'down@10<20 up@30<50 degraded@40<60', 'degraded', null],
    [2, 3, 'dd ugg u', 'down@10<20 up@30<50', 'up', null],
    [1, 1, 'udgdu', 'up@10<10 down@20<20 degraded@30<30 down@40<40 up@50<50', 'up', null],
  ])(
    'with the thresholds %d and %d and the results "%s" has the transitions "%s"',
    (failures, recoveries, text, transitions, status, isVerifying) => {
      const folded = fold(PENDING_STATE, results(text), policy(failures, recoveries));
      expect(written(folded.transitions)).toBe(transitions);
      expect(folded.state.status).toBe(status);
      expect(folded.state.since).toBe(folded.transitions.at(-1)?.at ?? null);
      expect(verifying(folded.state)).toBe(isVerifying);
    },
  );

  it.each<[number, number, string, string]>([
    // failures to confirm, passes to confirm, results, `to count/needed`
    [2, 1, '', 'none'],
    [2, 1, 'u', 'none'],
    [2, 1, 'd', 'down 1/2'],
    [3, 1, 'd?d', 'down 2/3'],
    [2, 1, 'dd', 'none'],
    [3, 1, 'u dd', 'down 2/3'],
    [3, 1, 'u dud', 'down 1/3'],
    [3, 1, 'u gg', 'degraded 2/3'],
    [2, 3, 'u', 'up 1/3'],
    [2, 3, 'gu', 'up 2/3'],
    [2, 3, 'dd u', 'up 1/3'],
    [2, 3, 'dd gg', 'degraded 2/3'],
    [2, 2, 'gg u', 'up 1/2'],
    // confirmed by the next slow result, although enough were slow before the recovery was confirmed
    [2, 3, 'dd ugg', 'degraded 2/3'],
  ])('with the thresholds %d and %d and the results "%s" is confirming %s', (failures, recoveries, text, expected) => {
    const thresholds = policy(failures, recoveries);
    const found = confirmation(fold(PENDING_STATE, results(text), thresholds).state, thresholds);
    expect(found ? `${found.to} ${found.count}/${found.needed}` : 'none').toBe(expected);
  });

  it('needs at least one more result if a threshold was lowered in the meantime', () => {
    const { state } = fold(PENDING_STATE, results('uddd'), policy(10, 1));
    expect(confirmation(state, policy(2, 1))).toEqual({ to: 'down', count: 3, needed: 4 });
  });

  it.each([
    { text: 'u', lastError: null },
    { text: 'ud', lastError: 'at 20' },
    { text: 'udu', lastError: null },
    { text: 'ud?', lastError: 'at 20' },
    { text: 'uddd', lastError: 'at 40' },
    { text: 'uddu', lastError: 'at 30' },
    { text: 'udduu', lastError: null },
  ])('after "$text" has the error $lastError', ({ text, lastError }) => {
    expect(fold(PENDING_STATE, results(text), policy(2, 2)).state.lastError?.message ?? null).toBe(lastError);
  });

  it('reports the error of the confirming result on a change to down, and none on other changes', () => {
    const { transitions } = fold(PENDING_STATE, results('uddu'), policy(2, 1));
    expect(transitions.map(({ from, to, errorCode }) => ({ from, to, errorCode }))).toEqual([
      { from: 'pending', to: 'up', errorCode: null },
      { from: 'up', to: 'down', errorCode: 'timeout' },
      { from: 'down', to: 'up', errorCode: null },
    ]);
  });

  it('does not change on an unknown result, including `last`', () => {
    const { state } = fold(PENDING_STATE, results('ud'), policy(2, 1));
    expect(advance(state, result('unknown', 500), policy(2, 1))).toEqual({ state, transition: null, gap: null });
    expect(state.last).toEqual({ checkedAt: 20, scheduledAt: 20, attempt: 0, intervalMs: 10 });
  });

  it('is confirmed by the next result if a threshold was lowered in the meantime', () => {
    const { state } = fold(PENDING_STATE, results('uddd'), policy(10, 1));
    expect(advance(state, result('down', 50), policy(2, 1)).transition).toMatchObject({ to: 'down', at: 20 });
    expect(advance(state, result('up', 50), policy(2, 1)).transition).toBeNull();
  });
});

describe('compareResults', () => {
  it('orders by start time, then slot, then attempt', () => {
    const key = (checkedAt: number, scheduledAt: number, attempt: number) => ({ checkedAt, scheduledAt, attempt });
    const sorted = [key(1, 9, 9), key(2, 1, 1), key(2, 1, 2), key(2, 3, 0), key(3, 0, 0)];
    expect([...sorted].reverse().sort(compareResults)).toEqual(sorted);
  });
});

/** Distinct results on and off a schedule of 10 ms, with gaps, equal times and `unknown` results. */
const history = fc.uniqueArray(
  fc.record({
    status: fc.constantFrom<ResultStatus>('up', 'up', 'degraded', 'down', 'down', 'unknown'),
    checkedAt: fc.nat(500),
    scheduledAt: fc.nat(3),
    attempt: fc.nat(2),
    intervalMs: fc.constantFrom(10, 10, 50),
  }),
  { selector: (one) => `${one.checkedAt}/${one.scheduledAt}/${one.attempt}`, maxLength: 60 },
);
const anyPolicy = fc
  .record({
    failureThreshold: fc.integer({ min: 1, max: 4 }),
    recoveryThreshold: fc.integer({ min: 1, max: 4 }),
    excused: fc.array(fc.record({ from: fc.nat(500), to: fc.option(fc.nat(500), { freq: 20 }) }), { maxLength: 3 }),
  })
  .map((rest): StatePolicy => ({ monitorId: MONITOR_ID, ...rest }));
const sorted = (all: Omit<FoldedResult, 'error'>[]): FoldedResult[] =>
  all.map((one) => ({ ...one, error: null })).sort(compareResults);

describe('the fold', () => {
  it('has the same outcome at once, one by one, and in batches with the state serialized as JSON in between', () => {
    fc.assert(
      fc.property(history, anyPolicy, fc.array(fc.nat(60)), (all, rules, cuts) => {
        const ordered = sorted(all);
        const whole = fold(PENDING_STATE, ordered, rules);
        const ends = [...new Set([...cuts, ordered.length])].sort((a, b) => a - b);
        let state: LocationState = PENDING_STATE;
        const transitions = [];
        const gaps = [];
        for (const [i, end] of ends.entries()) {
          const part = fold(state, ordered.slice(ends[i - 1] ?? 0, end), rules);
          state = JSON.parse(JSON.stringify(part.state)) as LocationState;
          transitions.push(...part.transitions);
          gaps.push(...part.gaps);
        }
        expect({ state, transitions, gaps }).toEqual(whole);
      }),
    );
  });

  it('has the same outcome for any order of arrival if late results are folded again from a checkpoint', () => {
    const arrivals = history.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }), fc.integer({ min: 1, max: 9 })),
    );
    fc.assert(
      fc.property(arrivals, anyPolicy, fc.nat(250), ([all, arriving, batch], rules, checkpointAt) => {
        const isEarly = (one: { checkedAt: number }) => one.checkedAt <= checkpointAt;
        const checkpoint = fold(PENDING_STATE, sorted(all.filter(isEarly)), rules);
        let { state, transitions, gaps } = checkpoint;
        const stored: typeof all = [];
        const late = arriving.filter((one) => !isEarly(one));
        for (let i = 0; i < late.length; i += batch) {
          stored.push(...late.slice(i, i + batch));
          const again = fold(checkpoint.state, sorted(stored), rules);
          state = again.state;
          transitions = [...transitions.filter((one) => one.confirmedAt <= checkpointAt), ...again.transitions];
          gaps = [...gaps.filter((one) => one.to <= checkpointAt), ...again.gaps];
        }
        expect({ state, transitions, gaps }).toEqual(fold(PENDING_STATE, sorted(all), rules));
      }),
    );
  });

  it('returns transitions that chain, ascend in time, and are backdated to a result of the new status', () => {
    fc.assert(
      fc.property(history, anyPolicy, (all, rules) => {
        const ordered = sorted(all);
        let previous: Transition | null = null;
        for (const one of fold(PENDING_STATE, ordered, rules).transitions) {
          expect(one.from).toBe(previous?.to ?? 'pending');
          expect(one.to).not.toBe(one.from);
          expect(one.at).toBeLessThanOrEqual(one.confirmedAt);
          expect(one.at).toBeGreaterThanOrEqual(previous?.at ?? 0);
          const begun = ordered.filter(({ checkedAt }) => checkedAt === one.at).map(({ status }) => status);
          expect(begun.some((status) => status === one.to || (status === 'degraded' && one.to === 'up'))).toBe(true);
          previous = one;
        }
      }),
    );
  });

  it('ignores unknown results: without them, the outcome is the same', () => {
    fc.assert(
      fc.property(history, anyPolicy, (all, rules) => {
        const known = all.filter((one) => one.status !== 'unknown');
        expect(fold(PENDING_STATE, sorted(known), rules)).toEqual(fold(PENDING_STATE, sorted(all), rules));
      }),
    );
  });

  it('is down exactly when a naive implementation of the rules is', () => {
    const text = fc.array(fc.constantFrom('u', 'g', 'd', '?'), { maxLength: 40 }).map((letters) => letters.join(''));
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }), (letters, failures, passes) => {
        let down = false;
        const seen = letters.replaceAll('?', '');
        for (let end = 1; end <= seen.length; end += 1) {
          const run = /(d+|[ug]+)$/.exec(seen.slice(0, end))![0];
          if (run.startsWith('d') ? run.length >= failures : run.length >= passes) down = run.startsWith('d');
        }
        const { state } = fold(PENDING_STATE, results(letters), policy(failures, passes));
        expect(state.status === 'down').toBe(down);
      }),
    );
  });

  it('confirms and verifies the same from its condensed form', () => {
    const text = fc.array(fc.constantFrom('u', 'g', 'd', '?'), { maxLength: 40 }).map((letters) => letters.join(''));
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }), (letters, failures, passes) => {
        let whole = PENDING_STATE;
        let kept = PENDING_STATE;
        for (const one of results(letters)) {
          whole = advance(whole, one, policy(failures, passes)).state;
          if (!isSettledAs(kept, one.status)) kept = condensed(advance(kept, one, policy(failures, passes)).state);
          expect({ status: kept.status, verifying: verifying(kept) }).toEqual({
            status: whole.status,
            verifying: verifying(whole),
          });
        }
      }),
    );
  });
});
