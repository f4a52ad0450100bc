import { incidentsOf } from '../../src/domain/incident-timeline.js';
import { fold, type StatePolicy } from '../../src/domain/monitor-state.js';
import { plan } from '../../src/domain/notification-plan/plan.js';
import { advanceClock } from '../../src/domain/slot-clock.js';
import { computeUptime } from '../../src/domain/uptime.js';
import { type CheckResult } from '../../src/modules/checker/check-queue.js';
import { ScheduleBook } from '../../src/modules/checker/schedule-book.js';
import { RETRY_MS } from './alert-script.js';
import { alertsOfIncident } from '../../src/modules/notifications/alert-history.js';

/** The rules of the service that are judged. A spec replaces one by a wrong rule, which the judge must detect. */
export interface Detector {
  newBook: () => ScheduleBook;
  advanceClock: typeof advanceClock;
  fold: typeof fold;
  computeUptime: typeof computeUptime;
  incidentsOf: typeof incidentsOf;
  alertsOf: typeof alertsOfIncident;
  plan: typeof plan;
  /** Returns the outcome of an attempt as the sender stores it. */
  outcomeOf: (outcome: 'sent' | 'failed') => 'sent' | 'failed';
  /** How long a channel waits after a failure. */
  retryMs: number;
  /** Returns the result that the recorder receives. */
  recorded: (result: CheckResult) => CheckResult;
  /** Returns the number that identifies a result: equal numbers mean the same result. */
  keyOf: (result: Pick<CheckResult, 'scheduledAt' | 'attempt'>) => number;
  policy: (policy: StatePolicy) => StatePolicy;
}

/** Number of attempts per slot that keys can represent. Times are below 2⁴¹ ms, and attempts within ±512. */
const ATTEMPTS = 1_024;

export const DETECTOR: Detector = {
  newBook: () => new ScheduleBook(60_000),
  advanceClock,
  fold,
  computeUptime,
  incidentsOf,
  alertsOf: alertsOfIncident,
  plan,
  outcomeOf: (outcome) => outcome,
  retryMs: RETRY_MS,
  recorded: (result) => result,
  keyOf: ({ scheduledAt, attempt }) => scheduledAt * ATTEMPTS + attempt + ATTEMPTS / 2,
  policy: (policy) => policy,
};
