/** What shows whether the service does its work. Times are those of the service's clock, which is never set back. */
export interface WorkFacts {
  /** When a check last finished, or none was running or waiting. */
  checkedAt: number;
  /** When results were last recorded, or none waited to be. */
  recordedAt: number;
  /** When this process last looked for notifications to plan and to send. */
  lookedAt: number;
  /** How long the oldest event has not been planned. */
  oldestEventMs: number;
  /** How long the oldest notification has been due at a channel that works. */
  oldestNotificationMs: number;
}

/** Longer than any check may take. */
export const CHECKS_STAND_STILL_MS = 120_000;
export const RECORDING_STANDS_STILL_MS = 60_000;
/** Longer than the 30 s in which alerts are collected. */
export const SENDING_STANDS_STILL_MS = 300_000;

/** Returns which work stands still, as a sentence; null if all of it is done. */
export function standstillOf(facts: WorkFacts, now: number): string | null {
  if (now - facts.checkedAt > CHECKS_STAND_STILL_MS) return 'No check has finished for 2 minutes.';
  if (now - facts.recordedAt > RECORDING_STANDS_STILL_MS) return 'No result has been recorded for a minute.';
  if (now - facts.lookedAt > SENDING_STANDS_STILL_MS)
    return 'This process has not looked for due notifications for 5 minutes.';
  if (facts.oldestEventMs > SENDING_STANDS_STILL_MS)
    return 'The notifications of an event have not been planned for 5 minutes.';
  if (facts.oldestNotificationMs > SENDING_STANDS_STILL_MS) return 'A notification has been due for 5 minutes.';
  return null;
}
