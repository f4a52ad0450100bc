import { phaseMs } from './schedule.js';
import { coverage, type ClosedSpan, type Span } from './span.js';
import { daysBetween } from './utc-day.js';

/**
 * A write needs a moment to reach the dispatcher, where the monitor is checked at once anyway when it was made or
 * resumed. Slots this close after a beginning, or before an end, of being on schedule are expected of nobody.
 */
export const EDGE_MS = 250;

/** How long after its timeout the result of a check may take to be recorded. */
export const RESULT_GRACE_MS = 5_000;

/** What a monitor was to be checked by, from a moment on until the next schedule of it. */
export interface Schedule {
  from: number;
  intervalMs: number;
  /** From how many locations: each has the slots for itself. */
  locations: number;
}

/** All times are whole epoch milliseconds. */
export interface ScheduleInput {
  monitorId: string;
  createdAtMs: number;
  /** Oldest first; at least one. The first one holds since creation. */
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
  /** Slots that were due; never below `executed`. */
  expected: number;
  executed: number;
  /** Executed, but started over a second after the slot. */
  late: number;
  /** `expected − executed`. */
  missed: number;
}

/** What was counted of one UTC day. */
export interface CountedChecks {
  executed: number;
  late: number;
  /** Of the executed ones, those whose slots {@link dueSlots} leaves out: they lie {@link besideDue}. */
  beside: number;
}

/** The moment up to which a check at a slot must have been recorded; before it a missing one says nothing. */
export function dueBefore(nowMs: number, timeoutMs: number): number {
  return nowMs - timeoutMs - RESULT_GRACE_MS;
}

/** How many of the moments `phase + k × interval`, for every integer k, lie in `[fromMs, toMs)`. */
export function countSlots(phase: number, intervalMs: number, fromMs: number, toMs: number): number {
  if (toMs <= fromMs) return 0;
  return Math.ceil((toMs - phase) / intervalMs) - Math.ceil((fromMs - phase) / intervalMs);
}

/**
 * How many slots were due on each UTC day of the window, oldest first: those up to `dueMs` at which the monitor existed
 * and was not paused, by the schedule of their time, for each location. Takes no longer for short intervals.
 */
export function dueSlots(input: ScheduleInput): number[] {
  const { monitorId, fromMs, toMs } = input;
  const endMs = Math.min(toMs, input.dueMs + 1);
  const days = daysBetween(fromMs, toMs).map((day) => ({ ...day, slots: 0 }));
  for (const { from, to, intervalMs, locations } of onSchedule(input)) {
    const phase = phaseMs(monitorId, intervalMs);
    for (const day of days) {
      const slots = countSlots(phase, intervalMs, Math.max(from, day.fromMs), Math.min(to, day.toMs, endMs));
      day.slots += slots * locations;
    }
  }
  return days.map(({ slots }) => slots);
}

/**
 * The moments in the window at whose slots checks are recorded though {@link dueSlots} does not count them: the edges of
 * being on schedule, and what is not due yet. Sorted, disjoint.
 */
export function besideDue(input: ScheduleInput): ClosedSpan[] {
  const edges = onSchedule(input).flatMap(({ from, to }) => [from - EDGE_MS, to + EDGE_MS]);
  const around = edges.map((at) => ({ from: at - EDGE_MS, to: at + EDGE_MS }));
  return coverage([...around, { from: input.dueMs + 1, to: null }], input.fromMs, input.toMs);
}

/** What became of the slots of a day. One that is not expected counts as soon as it was executed. */
export function fidelityOf(due: number, { executed, late, beside }: CountedChecks): Fidelity {
  const expected = Math.max(executed, due + beside);
  return { expected, executed, late, missed: expected - executed };
}

/** The stretches in which the monitor was on schedule, without their edges. */
function onSchedule({ createdAtMs, schedules, paused }: ScheduleInput): (ClosedSpan & Schedule)[] {
  const pauses = coverage(paused, -Infinity, Infinity);
  return inForce(createdAtMs, schedules).flatMap((schedule) =>
    without(pauses, schedule).map(({ from, to }) => ({ ...schedule, from: from + EDGE_MS, to: to - EDGE_MS })),
  );
}

/** The schedules with their ends; what does not change the slots begins no new one. */
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

/** What sorted, disjoint spans leave of a stretch. */
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
