import { incidentsOf } from '../../src/domain/incident-timeline.js';
import { fold } from '../../src/domain/monitor-state.js';
import { computeUptime } from '../../src/domain/uptime.js';
import { type CheckJob, type CheckResult } from '../../src/modules/checker/check-queue.js';
import { ScheduleBook } from '../../src/modules/checker/schedule-book.js';
import { DETECTOR, type Detector } from './detector.js';
import { type FindingKind } from './verdict.js';

/** A detector with one broken rule, and the kind of finding that it must cause. */
export interface Mutant {
  name: string;
  broken: Partial<Detector>;
  found: FindingKind;
  /** A monitor in which it shows, and that is simulated quickly. If draws change, a later one is looked for. */
  first: number;
}

class BookWithoutRetries extends ScheduleBook {
  override settle(result: CheckResult, now: number): void {
    super.settle({ ...result, status: 'unknown' }, now);
  }
}

class BookOfEveryOtherSlot extends ScheduleBook {
  private calls = 0;

  override takeDue(now: number, epochOf: (monitorId: string) => number): CheckJob[] {
    return super.takeDue(now, epochOf).filter(({ attempt }) => attempt !== 0 || (this.calls += 1) % 2 === 0);
  }
}

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'maintenance opens incidents',
    broken: { incidentsOf: (runs, _, nowMs) => incidentsOf(runs, [], nowMs) },
    found: 'alert',
    first: 140,
  },
  {
    name: 'each outage of a flapping target opens an incident',
    broken: { incidentsOf: (runs, ...given) => runs.flatMap((run) => incidentsOf([run], ...given)) },
    found: 'alert',
    first: 11,
  },
  {
    name: 'only one outage in three opens an incident',
    broken: { incidentsOf: (...given) => incidentsOf(...given).filter((_, index) => index % 3 === 0) },
    found: 'alert',
    first: 8,
  },
  {
    name: 'a transition is dated by its confirmation',
    broken: {
      fold: (...given) => {
        const found = fold(...given);
        return { ...found, transitions: found.transitions.map((one) => ({ ...one, at: one.confirmedAt })) };
      },
    },
    found: 'evidence',
    first: 8,
  },
  {
    name: 'a retry is recorded as the check of its slot',
    broken: { recorded: (result) => ({ ...result, attempt: 0 }) },
    found: 'confirmation',
    first: 8,
  },
  {
    name: "a failure of the service's network counts as down",
    broken: { recorded: (result) => (result.status === 'unknown' ? { ...result, status: 'down' } : result) },
    found: 'false_down',
    first: 16,
  },
  {
    name: "a failure of the service's network counts as up",
    broken: { recorded: (result) => (result.status === 'unknown' ? { ...result, status: 'up' } : result) },
    found: 'evidence',
    first: 270,
  },
  {
    name: 'a result delivered twice counts twice',
    broken: { keyOf: () => Math.random() },
    found: 'order',
    first: 8,
  },
  {
    name: 'one failure fewer than the threshold suffices',
    broken: { policy: (policy) => ({ ...policy, failureThreshold: Math.max(1, policy.failureThreshold - 1) }) },
    found: 'evidence',
    first: 8,
  },
  {
    name: 'one failure more than the threshold is required',
    broken: { policy: (policy) => ({ ...policy, failureThreshold: policy.failureThreshold + 1 }) },
    found: 'confirmation',
    first: 8,
  },
  {
    name: 'gaps in the data are ignored',
    broken: { fold: (...given) => ({ ...fold(...given), gaps: [] }) },
    found: 'known',
    first: 16,
  },
  {
    name: 'absences of the service are ignored',
    broken: {
      computeUptime: (input) =>
        computeUptime({ ...input, locations: input.locations.map((location) => ({ ...location, absences: [] })) }),
    },
    found: 'known',
    first: 8,
  },
  {
    name: 'any location decides',
    broken: { computeUptime: (input) => computeUptime({ ...input, quorum: 'any' }) },
    found: 'false_down',
    first: 5,
  },
  {
    name: 'all locations must agree',
    broken: { computeUptime: (input) => computeUptime({ ...input, quorum: 'all' }) },
    found: 'missed',
    first: 5,
  },
  {
    name: 'a partial outage is no outage',
    broken: {
      computeUptime: (input) => {
        const uptime = computeUptime(input);
        const segments = uptime.segments.map((one) =>
          one.kind === 'degraded' ? { ...one, kind: 'up' as const } : one,
        );
        return { ...uptime, segments };
      },
    },
    found: 'not_degraded',
    first: 5,
  },
  {
    name: 'one location that is down makes a monitor degraded for good',
    broken: {
      computeUptime: (input) => {
        const uptime = computeUptime(input);
        const from = uptime.segments.findIndex(({ kind }) => kind === 'degraded');
        const segments = uptime.segments.map((one, index) =>
          from >= 0 && index > from && one.kind === 'up' ? { ...one, kind: 'degraded' as const } : one,
        );
        return { ...uptime, segments };
      },
    },
    found: 'false_degraded',
    first: 5,
  },
  {
    name: 'a location without a network keeps its vote',
    broken: {
      computeUptime: (input) =>
        computeUptime({ ...input, locations: input.locations.map((location) => ({ ...location, gaps: [] })) }),
    },
    found: 'not_down',
    first: 37,
  },
  {
    name: 'one location without a network makes a monitor unknown',
    broken: {
      computeUptime: (input) => {
        const absences = input.locations.flatMap((location) => [...location.absences, ...location.gaps]);
        const sorted = absences.sort((a, b) => a.from - b.from);
        return computeUptime({
          ...input,
          locations: input.locations.map((location) => ({ ...location, absences: sorted })),
        });
      },
    },
    found: 'unknown',
    first: 5,
  },
  {
    name: 'pauses are ignored',
    broken: { computeUptime: (input) => computeUptime({ ...input, spans: { ...input.spans, paused: [] } }) },
    found: 'overlay',
    first: 8,
  },
  {
    name: 'a day is an hour short',
    broken: {
      computeUptime: (input) => {
        const uptime = computeUptime(input);
        return { ...uptime, days: uptime.days.map((day) => ({ ...day, upMs: Math.max(0, day.upMs - 3_600_000) })) };
      },
    },
    found: 'adding_up',
    first: 8,
  },
  {
    name: 'the reported uptime does not match the durations',
    broken: {
      computeUptime: (input) => {
        const { totals, ...rest } = computeUptime(input);
        return { ...rest, totals: { ...totals, uptimePercent: 99 } };
      },
    },
    found: 'uptime',
    first: 88,
  },
  {
    name: 'no retries are scheduled',
    broken: { newBook: () => new BookWithoutRetries(60_000) },
    found: 'confirmation',
    first: 8,
  },
  {
    name: 'every other slot is skipped',
    broken: { newBook: () => new BookOfEveryOtherSlot(60_000) },
    found: 'edge',
    first: 8,
  },
  {
    name: 'the slot clock follows a wall clock that is set back',
    broken: { advanceClock: (_, wallMs, monotonicMs) => ({ nowMs: wallMs, monotonicMs }) },
    found: 'false_down',
    first: 27,
  },
];

export const mutated = ({ broken }: Mutant): Detector => ({ ...DETECTOR, ...broken });
