import { incidentsOf } from '../../src/domain/incident-timeline.js';
import { fold, type StatePolicy } from '../../src/domain/monitor-state.js';
import { advanceClock } from '../../src/domain/slot-clock.js';
import { computeUptime } from '../../src/domain/uptime.js';
import { type CheckResult } from '../../src/modules/checker/check-queue.js';
import { ScheduleBook } from '../../src/modules/checker/schedule-book.js';

/** What is judged: the rules of the service. A spec replaces one by a wrong one, to see that the judge notices. */
export interface Detector {
  newBook: () => ScheduleBook;
  advanceClock: typeof advanceClock;
  fold: typeof fold;
  computeUptime: typeof computeUptime;
  incidentsOf: typeof incidentsOf;
  /** What the recorder is given of a result. */
  recorded: (result: CheckResult) => CheckResult;
  /** By what it tells results apart: the same number is the same result. */
  keyOf: (result: Pick<CheckResult, 'scheduledAt' | 'attempt'>) => number;
  policy: (policy: StatePolicy) => StatePolicy;
}

/** Times are whole milliseconds below 2⁴¹; attempts lie within ±512. */
const ATTEMPTS = 1_024;

export const DETECTOR: Detector = {
  newBook: () => new ScheduleBook(),
  advanceClock,
  fold,
  computeUptime,
  incidentsOf,
  recorded: (result) => result,
  keyOf: ({ scheduledAt, attempt }) => scheduledAt * ATTEMPTS + attempt + ATTEMPTS / 2,
  policy: (policy) => policy,
};
