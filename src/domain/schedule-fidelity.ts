import { phaseMs } from './schedule.js';
import { coverage, type ClosedSpan, type Span } from './span.js';
import { daysBetween } from './utc-day.js';

/**
 * A write takes a moment to reach the dispatcher, and a monitor that was created or resumed is checked immediately
 * anyway. So slots this close after the start, or before the end, of a scheduled period are not expected.
 */
export const EDGE_MS = 250;

/** Maximum time after a check's timeout in which its result is recorded. */
export const RESULT_GRACE_MS = 5_000;

/** A monitor's schedule from a moment on, until its next schedule begins. */
export interface Schedule {
  from: number;
  intervalMs: number;
  /** Number of locations, each of which checks at every slot. */
  locations: number;
}

/** All times are whole epoch milliseconds. */
export interface ScheduleInput {
  monitorId: string;
  createdAtMs: number;
  /** Oldest first; at least one. The first one applies from creation. */
  schedules: readonly Schedule[];
  /** In any order; they may overlap. */
  paused: readonly Span[];
  /** The window `[fromMs, toMs)`, both midnight UTC. */
  fromMs: number;
  toMs: number;
  /** Slots up to this moment are due: see {@link dueBefore}. */
  dueMs: number;
}

/** Checks of one UTC day, over all locations. */
export interface Fidelity {
  /** Slots that were due; never less than `executed`. */
  expected: number;
  executed: number;
  /** Executed, but started more than a second after the slot. */
  late: number;
  /** `expected − executed`. */
  missed: number;
}

/** The recorded counts of one UTC day. */
export interface CountedChecks {
  executed: number;
  late: number;
  /** The executed checks whose slots {@link dueSlots} does not count, because they lie in {@link besideDue}. */
  beside: number;
}

/** Returns the latest slot whose check must have been recorded by now; later ones may still be missing. */
export function dueBefore(nowMs: number, timeoutMs: number): number {
  return nowMs - timeoutMs - RESULT_GRACE_MS;
}

/** Returns how many of the moments `phase + k × interval`, for every integer k, lie in `[fromMs, toMs)`. */
export function countSlots(phase: number, intervalMs: number, fromMs: number, toMs: number): number {
  // A monitor that waits for reports has no slots.
  if (toMs <= fromMs || intervalMs === 0) return 0;
  return Math.ceil((toMs - phase) / intervalMs) - Math.ceil((fromMs - phase) / intervalMs);
}

/**
 * Returns how many slots were due on each UTC day of the window, oldest first: those up to `dueMs` at which the monitor
 * existed and was not paused, by the schedule at that time, for each location. The cost does not depend on the
 * interval.
 */
export function dueSlots(input: ScheduleInput): number[] {
  const { monitorId, fromMs, toMs } = input;
  const endMs = Math.min(toMs, input.dueMs + 1);
  const days = daysBetween(fromMs, toMs).map((day) => ({ ...day, slots: 0 }));
  for (const { from, to, intervalMs, locations } of onSchedule(input)) {
    const phase = intervalMs === 0 ? 0 : phaseMs(monitorId, intervalMs);
    for (const day of days) {
      const slots = countSlots(phase, intervalMs, Math.max(from, day.fromMs), Math.min(to, day.toMs, endMs));
      day.slots += slots * locations;
    }
  }
  return days.map(({ slots }) => slots);
}

/**
 * Returns the spans of the window whose slots {@link dueSlots} does not count although checks are recorded at them: the
 * edges of the scheduled periods, and the slots that are not due yet. Sorted, disjoint.
 */
export function besideDue(input: ScheduleInput): ClosedSpan[] {
  const edges = onSchedule(input).flatMap(({ from, to }) => [from - EDGE_MS, to + EDGE_MS]);
  const around = edges.map((at) => ({ from: at - EDGE_MS, to: at + EDGE_MS }));
  return coverage([...around, { from: input.dueMs + 1, to: null }], input.fromMs, input.toMs);
}

/** Returns the figures of a day. A slot that is not expected counts only once it has been executed. */
export function fidelityOf(due: number, { executed, late, beside }: CountedChecks): Fidelity {
  const expected = Math.max(executed, due + beside);
  return { expected, executed, late, missed: expected - executed };
}

/** Returns the periods in which the monitor was scheduled, without their edges. */
function onSchedule({ createdAtMs, schedules, paused }: ScheduleInput): (ClosedSpan & Schedule)[] {
  const pauses = coverage(paused, -Infinity, Infinity);
  return inForce(createdAtMs, schedules).flatMap((schedule) =>
    without(pauses, schedule).map(({ from, to }) => ({ ...schedule, from: from + EDGE_MS, to: to - EDGE_MS })),
  );
}

/** Returns the schedules with their ends, merging consecutive ones that have the same slots. */
function inForce(createdAtMs: number, schedules: readonly Schedule[]): (ClosedSpan & Schedule)[] {
  const distinct = schedules.filter((one, index) => {
    const before = schedules[index - 1];
    return before?.intervalMs !== one.intervalMs || before.locations !== one.locations;
  });
  return distinct.map((one, index) => ({
    ...one,
    from: index === 0 ? createdAtMs : one.from,
    to: distinct[index + 1]?.from ?? Infinity,
  }));
}

/** Returns the parts of a stretch that sorted, disjoint spans do not cover. */
function without(spans: readonly ClosedSpan[], { from, to }: ClosedSpan): ClosedSpan[] {
  const left: ClosedSpan[] = [];
  let start = from;
  for (const span of spans) {
    if (span.to <= start || span.from >= to) continue;
    if (span.from > start) left.push({ from: start, to: span.from });
    start = Math.max(start, span.to);
  }
  if (start < to) left.push({ from: start, to });
  return left;
}
