import { nextSlotAfter, phaseMs } from './schedule.js';
import { type ClosedSpan, type Span } from './span.js';

/** How long after {@link Hold.until} readers wait for a result in flight before they treat the state as unknown. */
export const HOLD_GRACE_MS = 5_000;

/**
 * If a check runs into a timeout as long as the interval, the next one begins when it ends: no slot is skipped,
 * although one passes in the meantime. Checks are consecutive if they are less than an interval plus this time apart.
 */
const FOLLOWS_WITHIN_MS = 1_000;

/** When a check ran, and on which schedule. Times are epoch milliseconds. */
export interface SeenCheck {
  checkedAt: number;
  scheduledAt: number;
  /** The schedule in force when the check ran; 0 if the monitor waits for reports, and no slots are expected. */
  intervalMs: number;
}

/** The slots at which a monitor is expected to be checked. */
export interface SlotPolicy {
  monitorId: string;
  /** Spans in which the service could not check; slots in them are not expected. In any order. */
  excused: readonly Span[];
}

/** Time without data: from the first slot that passed without a check to the `checkedAt` of the next result. */
export type Gap = ClosedSpan;

/** How long a state holds without a further result: after `until`, it has been unknown since `missingFrom`. */
export interface Hold {
  missingFrom: number;
  until: number;
}

/** Returns whether a state still holds for readers at `nowMs`, who wait for a result in flight. */
export function stillHolds({ until }: Hold, nowMs: number): boolean {
  return nowMs <= until + HOLD_GRACE_MS;
}

/**
 * Returns the time without data between a check and the next one, or `null`. There is some if an entire slot that is
 * not excused passed between them and they are more than an interval apart. If the schedule changed in between, the
 * slower one determines what is expected.
 */
export function gapBetween(previous: SeenCheck, next: SeenCheck, policy: SlotPolicy): Gap | null {
  const intervalMs = Math.max(previous.intervalMs, next.intervalMs);
  if (intervalMs === 0) return null;
  // Nearly all checks return here, before the phase is calculated.
  if (next.checkedAt - previous.checkedAt < intervalMs + followsWithinMs(intervalMs)) return null;
  const hold = holdAfter(previous, intervalMs, policy);
  return hold && next.checkedAt >= hold.until ? { from: hold.missingFrom, to: next.checkedAt } : null;
}

/**
 * Returns how long a state holds if no further result arrives; readers add {@link HOLD_GRACE_MS}. `intervalMs` is the
 * current schedule, needed where it may differ from that of the newest result. Returns `null` if nothing is expected:
 * there is no result yet, every later slot is excused, or the monitor waits for reports. The state of such a monitor
 * holds until a deadline could not be judged.
 */
export function holdsUntil(
  state: { last: SeenCheck | null; unknownSince?: number },
  policy: SlotPolicy,
  intervalMs = 0,
): Hold | null {
  if (!state.last) return null;
  if (state.unknownSince !== undefined) return { missingFrom: state.unknownSince, until: state.unknownSince };
  const longestMs = Math.max(state.last.intervalMs, intervalMs);
  return longestMs === 0 ? null : holdAfter(state.last, longestMs, policy);
}

/** Returns whether a check was recent at a time: whether the state that it showed still held. */
export function isRecent(
  check: SeenCheck,
  { monitorId, intervalMs }: { monitorId: string; intervalMs: number },
  atMs: number,
): boolean {
  const hold = holdsUntil({ last: check }, { monitorId, excused: [] }, intervalMs);
  return hold !== null && stillHolds(hold, atMs);
}

function holdAfter(check: SeenCheck, intervalMs: number, policy: SlotPolicy): Hold | null {
  const missingFrom = firstExpectedSlot(check, intervalMs, policy);
  if (missingFrom === null) return null;
  return { missingFrom, until: Math.max(missingFrom, check.checkedAt + followsWithinMs(intervalMs)) + intervalMs };
}

function followsWithinMs(intervalMs: number): number {
  return Math.min(FOLLOWS_WITHIN_MS, intervalMs / 2);
}

/** Returns the first slot after a check that is not excused; `null` if all are. */
function firstExpectedSlot(check: SeenCheck, intervalMs: number, policy: SlotPolicy): number | null {
  const phase = phaseMs(policy.monitorId, intervalMs);
  let slot = nextSlotAfter(phase, intervalMs, check.checkedAt);
  // If the checker's clock is slightly behind, a check for this slot has a time before it: the slot was checked.
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
