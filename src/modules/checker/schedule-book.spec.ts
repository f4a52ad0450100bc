import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import { NO_TIMINGS, type ResultStatus } from '../../domain/check-result.js';
import { nextSlotAfter, phaseMs } from '../../domain/schedule.js';
import { type CheckPlan } from '../monitors/schedule/check-plan.types.js';
import { type CheckJob, type CheckResult } from './check-queue.js';
import { ScheduleBook } from './schedule-book.js';

const INTERVAL = 60_000;
const START = Date.parse('2026-01-01T00:00:00Z');

function planOf(changes: Partial<CheckPlan> = {}): CheckPlan {
  return {
    monitorId: uuidv7(),
    teamId: uuidv7(),
    revision: 1,
    type: 'http',
    definition: '{}',
    intervalMs: INTERVAL,
    timeoutMs: 10_000,
    degradedAfterMs: null,
    failureThreshold: 2,
    recoveryThreshold: 1,
    retryIntervalMs: 20_000,
    locations: ['default'],
    ...changes,
  };
}

function resultOf(job: CheckJob, status: ResultStatus, checkedAt = job.scheduledAt): CheckResult {
  const { monitorId, scheduledAt, location, attempt, trigger, epoch, plan } = job;
  const { revision, intervalMs } = plan;
  const error = status === 'down' ? { code: 'timeout' as const, message: '' } : null;
  return {
    monitorId,
    scheduledAt,
    location,
    attempt,
    trigger,
    revision,
    intervalMs,
    epoch,
    checkedAt,
    status,
    outcome: {
      statusCode: null,
      responseTimeMs: 1,
      timings: NO_TIMINGS,
      remoteAddress: null,
      error,
      failedAssertions: [],
    },
  };
}

function bookOf(plan: CheckPlan): { book: ScheduleBook; slot: number } {
  const book = new ScheduleBook(60_000);
  book.put(plan, START);
  return { book, slot: nextSlotAfter(phaseMs(plan.monitorId, plan.intervalMs), plan.intervalMs, START) };
}

const firstSlot = ({ monitorId, intervalMs }: CheckPlan): number =>
  nextSlotAfter(phaseMs(monitorId, intervalMs), intervalMs, START);

/** Every monitor is dispatched under the same lease. */
const under = (epoch: number) => (): number => epoch;

describe('ScheduleBook', () => {
  it('sends a slot when it is due, and not before', () => {
    const { book, slot } = bookOf(planOf());
    expect(book.takeDue(slot - 1, under(1))).toEqual([]);
    expect(book.takeDue(slot, under(7))).toMatchObject([
      { scheduledAt: slot, attempt: 0, trigger: 'schedule', epoch: 7 },
    ]);
    expect(book.takeDue(slot, under(7))).toEqual([]);
  });

  it('sends nothing of a monitor without an epoch, and all that is due once it has one and is restarted', () => {
    const { book, slot } = bookOf(planOf());
    expect(book.takeDue(slot + 10, () => undefined)).toEqual([]);
    book.restart(() => slot - 1);
    expect(book.takeDue(slot + 20, under(2))).toMatchObject([{ scheduledAt: slot, attempt: 0, epoch: 2 }]);
  });

  it('retries while a failure is unconfirmed, and stops when it is confirmed', () => {
    const { book, slot } = bookOf(planOf());
    const [first] = book.takeDue(slot, under(1));
    book.settle(resultOf(first!, 'down'), slot + 100);
    expect(book.takeDue(slot + 19_999, under(1))).toEqual([]);
    const [retry] = book.takeDue(slot + 20_000, under(1));
    expect(retry).toMatchObject({ scheduledAt: slot, attempt: 1, trigger: 'retry' });
    book.settle(resultOf(retry!, 'down', slot + 20_000), slot + 20_100);
    expect(book.takeDue(slot + INTERVAL - 1, under(1))).toEqual([]);
    expect(book.takeDue(slot + INTERVAL, under(1))).toMatchObject([{ scheduledAt: slot + INTERVAL, attempt: 0 }]);
  });

  describe('of a monitor at two locations', () => {
    const HOUR = 60 * INTERVAL;

    /**
     * Returns how many checks at `near` fail in a row before no retry follows, some hours after the only result at `far`,
     * which has this status.
     */
    function failures(far: ResultStatus | null, { hours = 1, counts = true } = {}): number {
      const { book, slot } = bookOf(planOf({ intervalMs: HOUR, locations: ['near', 'far'] }));
      book.counts = (location) => counts || location !== 'far';
      for (const job of book.takeDue(slot, under(1))) {
        const status = job.location === 'near' ? 'up' : far;
        if (status) book.settle(resultOf(job, status), slot);
      }
      let count = 0;
      for (let now = slot + hours * HOUR; ; now += 20_000) {
        const near = book.takeDue(now, under(1)).find(({ location }) => location === 'near');
        if (!near) return count;
        book.settle(resultOf(near, 'down', now), now);
        count += 1;
      }
    }

    it.each<ResultStatus>(['up', 'down'])('retries until a failure is confirmed if the other was %s', (far) => {
      expect(failures(far)).toBe(2);
    });

    it.each<[string, ResultStatus | null, { hours?: number; counts?: boolean }]>([
      ['has no result', null, {}],
      ['has only an unknown result', 'unknown', {}],
      ['has no recent result', 'up', { hours: 3 }],
      ['does not count', 'up', { counts: false }],
    ])('retries until twice as many failures if the other %s', (_, far, options) => {
      expect(failures(far, options)).toBe(4);
    });
  });

  it.each<[string, ResultStatus]>([
    ['passed', 'up'],
    ['was unknown', 'unknown'],
  ])('does not retry a check that %s before the next slot', (_, status) => {
    const { book, slot } = bookOf(planOf({ recoveryThreshold: 1 }));
    book.settle(resultOf(book.takeDue(slot, under(1))[0]!, status), slot + 100);
    expect(book.takeDue(slot + INTERVAL - 1, under(1))).toEqual([]);
  });

  it('retries a failing off-schedule check under its time', () => {
    const plan = planOf();
    const { book, slot } = bookOf(plan);
    const [job] = book.takeDue(slot, under(1));
    book.settle(resultOf(job!, 'up'), slot);
    const asked = { ...job!, scheduledAt: slot + 5_000, attempt: -7, trigger: 'manual' as const };
    book.settle(resultOf(asked, 'down'), slot + 5_000);
    expect(book.takeDue(slot + 25_000, under(1))).toMatchObject([
      { scheduledAt: slot + 5_000, attempt: 1, trigger: 'retry' },
    ]);
  });

  it('keeps the due checks of a team that must wait, and only those', () => {
    const [early, late, other] = [planOf(), planOf(), planOf()];
    late.teamId = early.teamId;
    const book = new ScheduleBook(60_000);
    for (const plan of [early, late, other]) book.put(plan, START);
    const due = START + 2 * INTERVAL;
    const mustWait = (teamId: string): boolean => teamId === early.teamId;
    expect(book.takeDue(due, under(1), mustWait).map(({ monitorId }) => monitorId)).toEqual([other.monitorId]);
    expect(book.takeDue(due + 1_000, under(1), mustWait)).toEqual([]);
    const taken = book.takeDue(due + 2 * INTERVAL, under(1));
    const own = ({ monitorId }: { monitorId: string }): boolean => monitorId !== other.monitorId;
    expect(taken.filter(own).map(({ monitorId }) => monitorId)).toEqual(
      // In the order in which they came due.
      [early, late].sort((a, b) => firstSlot(a) - firstSlot(b)).map(({ monitorId }) => monitorId),
    );
    // Their latest slots: the earlier ones were missed.
    for (const { scheduledAt } of taken.filter(own)) expect(scheduledAt).toBeGreaterThan(due + INTERVAL);
    expect(book.takeDue(due + 2 * INTERVAL, under(1))).toEqual([]);
  });

  it('takes checks that waited before those of the same team that come due later', () => {
    const teamId = uuidv7();
    const all = Array.from({ length: 400 }, () => planOf({ teamId })).sort((a, b) => firstSlot(a) - firstSlot(b));
    const book = new ScheduleBook(60_000);
    for (const plan of all) book.put(plan, START);
    const [waited, later] = [all.slice(0, 250), all.slice(250)];
    expect(book.takeDue(firstSlot(waited.at(-1)!), under(1), () => true)).toEqual([]);
    const taken: number[] = [];
    const ticks = later.map((plan) => {
      const jobs = book.takeDue(firstSlot(plan), under(1));
      taken.push(...jobs.map((job) => firstSlot(job.plan)));
      return jobs.length;
    });
    expect(Math.max(...ticks.slice(0, 2))).toBeLessThan(110);
    expect(taken).toEqual(all.map(firstSlot));
  });

  it('keeps the due checks of a team only at the location where it must wait', () => {
    const plan = planOf({ locations: ['near', 'far'] });
    const { book, slot } = bookOf(plan);
    const mustWait = (_: string, location: string): boolean => location === 'far';
    expect(book.takeDue(slot, under(1), mustWait).map(({ location }) => location)).toEqual(['near']);
    expect(book.takeDue(slot, under(1)).map(({ location }) => location)).toEqual(['far']);
  });

  it('finds in a comparison which monitors are new, changed or missing, however many times it is compared', () => {
    const [same, changed, gone, added, fresh] = [planOf(), planOf(), planOf(), planOf(), planOf()];
    const book = new ScheduleBook(60_000);
    for (const plan of [same, changed, gone]) book.put(plan, START);
    for (const round of [1, 2]) {
      book.beginComparison();
      expect([round, book.compare(same.monitorId, 1)]).toEqual([round, true]);
      expect(book.compare(changed.monitorId, 2)).toBe(false);
      expect(book.compare(added.monitorId, 1)).toBe(false);
      // A hint may arrive during the comparison.
      book.put(fresh, START);
      expect(book.missing()).toEqual([gone.monitorId]);
    }
  });

  it('names the teams with more than their fair share of the checks in progress at a location', () => {
    const [small, large] = [uuidv7(), uuidv7()];
    const near = ['near'];
    const plans = [planOf({ teamId: small }), ...Array.from({ length: 9 }, () => planOf({ teamId: large }))];
    const book = new ScheduleBook(60_000);
    for (const plan of plans) book.put({ ...plan, locations: near }, START);
    expect(book.teamsAbove(0, 'near')).toEqual(new Set());
    const jobs = book.takeDue(START + INTERVAL, under(1));
    expect(book.teamsAbove(10, 'near')).toEqual(new Set());
    expect(book.teamsAbove(8, 'near')).toEqual(new Set([large]));
    expect(book.teamsAbove(0, 'near')).toEqual(new Set([small, large]));
    expect(book.teamsAbove(0, 'far')).toEqual(new Set());

    const [own] = jobs.filter(({ plan }) => plan.teamId === small);
    book.settle(resultOf(own!, 'up'), START + INTERVAL);
    book.settle(resultOf(own!, 'up'), START + INTERVAL);
    expect(book.teamsAbove(0, 'near')).toEqual(new Set([large]));
    const [removed, moved, changed] = jobs.filter(({ plan }) => plan.teamId === large).map(({ plan }) => plan);
    book.remove(removed!.monitorId);
    book.put({ ...moved!, revision: 2, locations: ['far'] }, START + INTERVAL);
    book.put({ ...changed!, revision: 2 }, START + INTERVAL);
    expect(book.teamsAbove(6, 'near')).toEqual(new Set([large]));
    expect(book.teamsAbove(7, 'near')).toEqual(new Set());
    book.restart(() => START + INTERVAL);
    expect(book.teamsAbove(0, 'near')).toEqual(new Set());
  });

  it('takes the checks that waited gradually, and of each team its share, but due ones at once', () => {
    const waited = [260, 80].map((count) => {
      const teamId = uuidv7();
      return Array.from({ length: count }, () => planOf({ teamId }));
    });
    const other = planOf();
    const book = new ScheduleBook(60_000);
    for (const plan of waited.flat()) book.put(plan, START);
    const due = START + INTERVAL;
    expect(book.takeDue(due, under(1), () => true)).toEqual([]);
    book.put(other, START);
    const taken = [1, 2, 3, 4, 5].map((tick) => {
      const ids = new Set(book.takeDue(due, under(tick)).map(({ monitorId }) => monitorId));
      return [...waited, [other]].map((plans) => plans.filter(({ monitorId }) => ids.has(monitorId)).length);
    });
    expect(taken).toEqual([
      [50, 50, 1],
      [70, 30, 0],
      [100, 0, 0],
      [40, 0, 0],
      [0, 0, 0],
    ]);
  });

  it('does not take a monitor that was removed while it waited', () => {
    const plan = planOf();
    const { book, slot } = bookOf(plan);
    book.takeDue(slot, under(1), () => true);
    book.remove(plan.monitorId);
    expect(book.takeDue(slot, under(1))).toEqual([]);
  });

  it('does not grow with changes of plans', () => {
    const plan = planOf();
    const { book, slot } = bookOf(plan);
    for (let revision = 2; revision < 5_000; revision += 1) book.put({ ...plan, revision }, START);
    expect(book.dueSize).toBeLessThan(1_100);
    expect(book.takeDue(slot, under(1))).toHaveLength(1);
  });

  it('does not schedule a retry that would run after the next slot', () => {
    const { book, slot } = bookOf(planOf({ retryIntervalMs: INTERVAL }));
    book.settle(resultOf(book.takeDue(slot, under(1))[0]!, 'down'), slot + 100);
    expect(book.takeDue(slot + INTERVAL, under(1))).toMatchObject([{ scheduledAt: slot + INTERVAL, attempt: 0 }]);
  });

  it('serves a slot late if it came due while its predecessor was in progress', () => {
    const { book, slot } = bookOf(planOf());
    const [slow] = book.takeDue(slot, under(1));
    expect(book.takeDue(slot + INTERVAL, under(1))).toEqual([]);
    book.settle(resultOf(slow!, 'down'), slot + INTERVAL + 50);
    expect(book.takeDue(slot + INTERVAL + 50, under(1))).toMatchObject([{ scheduledAt: slot + INTERVAL, attempt: 0 }]);
    expect(book.missedSlots).toBe(0);
  });

  it('counts the slots that passed without a check', () => {
    const { book, slot } = bookOf(planOf());
    expect(book.takeDue(slot + 3 * INTERVAL, under(1))).toMatchObject([{ scheduledAt: slot + 3 * INTERVAL }]);
    expect(book.missedSlots).toBe(3);
  });

  describe('after a check was lost', () => {
    /** Time after the start of a check at which it counts as lost. */
    const LOST_MS = 70_000;
    const DAY = 86_400_000;

    it('serves the slot that came due meanwhile', () => {
      const { book, slot } = bookOf(planOf());
      book.takeDue(slot, under(1));
      expect(book.takeDue(slot + INTERVAL, under(1))).toEqual([]);
      expect(book.takeDue(slot + LOST_MS - 1, under(1))).toEqual([]);
      expect(book.takeDue(slot + LOST_MS, under(1))).toMatchObject([{ scheduledAt: slot + INTERVAL, attempt: 0 }]);
      expect(book.takeDue(slot + LOST_MS, under(1))).toEqual([]);
    });

    it('serves its slot again if the next one is later, and again after longer if that is lost as well', () => {
      const { book, slot } = bookOf(planOf({ intervalMs: DAY }));
      const [lost] = book.takeDue(slot, under(1));
      for (const at of [slot + LOST_MS, slot + LOST_MS + 130_000, slot + LOST_MS + 130_000 + 250_000]) {
        expect(book.takeDue(at - 1, under(1))).toEqual([]);
        expect(book.takeDue(at, under(2))).toEqual([{ ...lost, epoch: 2 }]);
        expect(book.takeDue(at, under(2))).toEqual([]);
      }
      expect(book.missedSlots).toBe(0);
    });

    it('repeats a retry under the same number', () => {
      const { book, slot } = bookOf(planOf({ intervalMs: DAY }));
      book.settle(resultOf(book.takeDue(slot, under(1))[0]!, 'down'), slot);
      const [lost] = book.takeDue(slot + 20_000, under(1));
      expect(lost).toMatchObject({ attempt: 1, trigger: 'retry' });
      expect(book.takeDue(slot + 20_000 + LOST_MS, under(1))).toEqual([lost]);
    });

    it('repeats it although its plan has changed', () => {
      const plan = planOf({ intervalMs: DAY });
      const { book, slot } = bookOf(plan);
      book.takeDue(slot, under(1));
      book.put({ ...plan, revision: 2 }, slot + 1);
      expect(book.takeDue(slot + LOST_MS, under(1))).toMatchObject([{ scheduledAt: slot, plan: { revision: 2 } }]);
    });

    it('repeats nothing if the result arrives in time, or the next slot comes first', () => {
      const daily = planOf({ intervalMs: DAY });
      const [settled, frequent] = [bookOf(daily), bookOf(planOf())];
      settled.book.settle(resultOf(settled.book.takeDue(settled.slot, under(1))[0]!, 'up'), settled.slot + LOST_MS - 1);
      expect(settled.book.takeDue(settled.slot + DAY - 1, under(1))).toEqual([]);
      const { book, slot } = frequent;
      const [late] = book.takeDue(slot + INTERVAL - 1, under(1));
      expect(late).toMatchObject({ scheduledAt: slot });
      expect(book.takeDue(slot + INTERVAL - 1 + LOST_MS, under(1))).toMatchObject([
        { scheduledAt: slot + 2 * INTERVAL },
      ]);
    });

    it('waits for as long as checks wait in the queue, and no longer once they do not', () => {
      const { book, slot } = bookOf(planOf({ intervalMs: DAY }));
      book.takeDue(slot, under(1));
      book.queueDelayAt = () => 3 * LOST_MS;
      expect(book.takeDue(slot + LOST_MS, under(1))).toEqual([]);
      book.queueDelayAt = () => 0;
      expect(book.takeDue(slot + 2 * LOST_MS - 1, under(1))).toEqual([]);
      expect(book.takeDue(slot + 2 * LOST_MS, under(1))).toMatchObject([{ scheduledAt: slot }]);
    });

    it('repeats nothing at a location that is disabled', () => {
      const { book, slot } = bookOf(planOf({ intervalMs: DAY }));
      book.takeDue(slot, under(1));
      book.isDisabled = () => true;
      expect(book.takeDue(slot + LOST_MS, under(1))).toEqual([]);
    });
  });

  describe('after checks could not be sent', () => {
    it('takes them again when they are put back, once', () => {
      const { book, slot } = bookOf(planOf());
      const jobs = book.takeDue(slot, under(1));
      book.putBack(jobs, slot + 1_000);
      expect(book.takeDue(slot + 999, under(1))).toEqual([]);
      expect(book.takeDue(slot + 1_000, under(1))).toEqual(jobs);
      expect(book.takeDue(slot + INTERVAL - 1, under(1))).toEqual([]);
    });

    it('takes a slot that came due meanwhile instead', () => {
      const { book, slot } = bookOf(planOf());
      const jobs = book.takeDue(slot, under(1));
      book.takeDue(slot + INTERVAL, under(1));
      book.putBack(jobs, slot + INTERVAL + 1_000);
      expect(book.takeDue(slot + INTERVAL + 1_000, under(1))).toMatchObject([{ scheduledAt: slot + INTERVAL }]);
    });

    it('ignores those that are not in progress, such as requested checks and what has a result', () => {
      const { book, slot } = bookOf(planOf());
      const [job] = book.takeDue(slot, under(1));
      book.putBack(
        [
          { ...job!, attempt: -1 },
          { ...job!, monitorId: uuidv7() },
          { ...job!, location: 'far' },
        ],
        slot,
      );
      book.settle(resultOf(job!, 'up'), slot);
      book.putBack([job!], slot);
      expect(book.takeDue(slot + INTERVAL - 1, under(1))).toEqual([]);
    });
  });

  it('does not let checks that have a result take the place of those that wait', () => {
    const teamId = uuidv7();
    const rare = Array.from({ length: 200 }, () => planOf({ teamId, intervalMs: 1_000 * 86_400_000 }));
    const book = new ScheduleBook(60_000);
    for (const plan of rare) book.put(plan, START);
    const checked = START + 1_000 * 86_400_000;
    for (const job of book.takeDue(checked, under(1))) book.settle(resultOf(job, 'up'), checked);
    const waiting = planOf({ teamId });
    // Its slot is later than the time at which those checks would count as lost.
    book.put(waiting, checked + 2 * INTERVAL);
    const due = checked + 3 * INTERVAL;
    expect(book.takeDue(due, under(1), () => true)).toEqual([]);
    expect(book.takeDue(due, under(1))).toMatchObject([{ monitorId: waiting.monitorId }]);
  });

  it('retains checks in progress when a plan changes, and discards a removed plan', () => {
    const plan = planOf();
    const { book, slot } = bookOf(plan);
    book.takeDue(slot, under(1));
    book.put({ ...plan, revision: 2 }, slot);
    expect(book.revisionOf(plan.monitorId)).toBe(2);
    expect(book.takeDue(slot + INTERVAL, under(1))).toEqual([]);
    book.remove(plan.monitorId);
    expect(book.size).toBe(0);
    expect(book.takeDue(slot + 9 * INTERVAL, under(1))).toEqual([]);
  });

  it('retains a pending retry when a plan changes', () => {
    const plan = planOf();
    const { book, slot } = bookOf(plan);
    book.settle(resultOf(book.takeDue(slot, under(1))[0]!, 'down'), slot + 100);
    book.put({ ...plan, intervalMs: 2 * INTERVAL, revision: 2 }, slot + 200);
    expect(book.takeDue(slot + 19_999, under(1))).toEqual([]);
    expect(book.takeDue(slot + 20_000, under(1))).toMatchObject([
      { scheduledAt: slot, attempt: 1, trigger: 'retry', plan: { revision: 2 } },
    ]);
  });

  it('retains a slot that is due or late when a plan changes, if its interval does not', () => {
    const plan = planOf();
    const { book, slot } = bookOf(plan);
    book.put({ ...plan, revision: 2 }, slot + 10);
    const [first] = book.takeDue(slot + 20, under(1));
    expect(first).toMatchObject({ scheduledAt: slot, plan: { revision: 2 } });
    expect(book.takeDue(slot + INTERVAL, under(1))).toEqual([]);
    book.put({ ...plan, revision: 3 }, slot + INTERVAL + 10);
    book.settle(resultOf(first!, 'up'), slot + INTERVAL + 20);
    expect(book.takeDue(slot + INTERVAL + 20, under(1))).toMatchObject([{ scheduledAt: slot + INTERVAL }]);
    expect(book.missedSlots).toBe(0);
  });

  it('starts after now when it is restarted, in the slots of each monitor, without a burst', () => {
    const book = new ScheduleBook(60_000);
    for (let count = 0; count < 1_000; count += 1) book.put(planOf(), START);
    const now = START + 86_400_000;
    book.restart(() => now);
    expect(book.takeDue(now, under(1))).toEqual([]);
    const perSecond: number[] = [];
    for (let second = 1; second <= 60; second += 1) perSecond.push(book.takeDue(now + second * 1_000, under(1)).length);
    expect(perSecond.reduce((sum, count) => sum + count, 0)).toBe(1_000);
    expect(Math.max(...perSecond)).toBeLessThan(50);
  });

  it('sends each slot of a monitor at most once, in order, whatever the ticks and results', () => {
    const ticks = fc.array(
      fc.record({ ms: fc.integer({ min: 1, max: 90_000 }), ends: fc.boolean(), fails: fc.boolean() }),
    );
    fc.assert(
      fc.property(ticks, (steps) => {
        const { book } = bookOf(planOf());
        let now = START;
        let underWay: CheckJob | undefined;
        const slots: number[] = [];
        for (const { ms, ends, fails } of steps) {
          now += ms;
          if (underWay && ends) {
            book.settle(resultOf(underWay, fails ? 'down' : 'up', now), now);
            underWay = undefined;
          }
          const jobs = book.takeDue(now, under(1));
          expect(jobs.length).toBeLessThanOrEqual(1);
          if (jobs[0]) underWay = jobs[0];
          if (jobs[0]?.attempt === 0) slots.push(jobs[0].scheduledAt);
        }
        expect(slots).toEqual([...new Set(slots)].sort((a, b) => a - b));
      }),
    );
  });
});
