import { nextSlotAfter, phaseMs } from './schedule.js';
import { type ClosedSpan, type Span } from './span.js';

/** How long past {@link Hold.until} a reader waits for a result under way before the state reads unknown. */
export const HOLD_GRACE_MS = 5_000;

/**
 * Where a check takes a timeout as long as the interval, the next one begins when it ends: no slot is left out, though
 * one passes meanwhile. Checks that are less than this more than an interval apart follow each other.
 */
const FOLLOWS_WITHIN_MS = 1_000;

/** When a check ran, and by which schedule. Times are epoch milliseconds. */
export interface SeenCheck {
  checkedAt: number;
  scheduledAt: number;
  /** The schedule in force when the check ran. */
  intervalMs: number;
}

/** Which slots a monitor was to be checked at. */
export interface SlotPolicy {
  monitorId: string;
  /** When we ourselves were absent: slots in these spans are not expected. In any order. */
  excused: readonly Span[];
}

/** Time without data: from the first slot that passed unseen to the `checkedAt` of the result that ended it. */
export type Gap = ClosedSpan;

/** How long a state holds without a further result: past `until` it has been unknown since `missingFrom`. */
export interface Hold {
  missingFrom: number;
  until: number;
}

/**
 * The time without data between a check and the next one: there is some where a whole slot, not excused, passed
 * between them, and they are more than an interval apart. Where the schedule changed in between, the slower one says what
 * could be expected.
 */
export function gapBetween(previous: SeenCheck, next: SeenCheck, policy: SlotPolicy): Gap | null {
  const intervalMs = Math.max(previous.intervalMs, next.intervalMs);
  // Nearly all checks end here: no phase is worked out for them.
  if (next.checkedAt - previous.checkedAt < intervalMs + followsWithinMs(intervalMs)) return null;
  const hold = holdAfter(previous, intervalMs, policy);
  return hold && next.checkedAt >= hold.until ? { from: hold.missingFrom, to: next.checkedAt } : null;
}

/**
 * How long a state holds if no further result comes; a reader adds {@link HOLD_GRACE_MS}. `intervalMs` is the schedule
 * now in force, given where it may differ from that of the newest result. `null` where nothing is expected: no result
 * yet, or every later slot excused.
 */
export function holdsUntil(state: { last: SeenCheck | null }, policy: SlotPolicy, intervalMs = 0): Hold | null {
  if (!state.last) return null;
  return holdAfter(state.last, Math.max(state.last.intervalMs, intervalMs), policy);
}

function holdAfter(check: SeenCheck, intervalMs: number, policy: SlotPolicy): Hold | null {
  const missingFrom = firstExpectedSlot(check, intervalMs, policy);
  if (missingFrom === null) return null;
  return { missingFrom, until: Math.max(missingFrom, check.checkedAt + followsWithinMs(intervalMs)) + intervalMs };
}

function followsWithinMs(intervalMs: number): number {
  return Math.min(FOLLOWS_WITHIN_MS, intervalMs / 2);
}

/** The first slot after a check that is not excused; `null` where all are. */
function firstExpectedSlot(check: SeenCheck, intervalMs: number, policy: SlotPolicy): number | null {
  const phase = phaseMs(policy.monitorId, intervalMs);
  let slot = nextSlotAfter(phase, intervalMs, check.checkedAt);
  // A machine whose clock is a little behind stamps a check before the slot it was made for: that slot was seen.
  if (slot === check.scheduledAt) slot += intervalMs;
  for (let moved = true; moved;) {
    moved = false;
    for (const span of policy.excused) {
      if (slot < span.from || (span.to !== null && slot >= span.to)) continue;
      if (span.to === null) return null;
      slot = nextSlotAfter(phase, intervalMs, span.to - 1);
      moved = true;
    }
  }
  return slot;
}
