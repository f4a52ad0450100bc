import { type NotificationFacts, type RecordedNotification } from './facts.js';
import { changesOf, knownAt } from './known-facts.js';
import { plan } from './plan.js';
import { type PlannedNotification } from './planned.js';
import { type PolicyRule } from './policy.js';

/** Maximum number of plans of a forecast. */
const MAX_PLANS = 1_000;

export interface Forecast {
  /** What would be sent, with the time at which it would be, oldest first. */
  sent: (PlannedNotification & { dueAt: number })[];
  /** What would not be sent by the end, or never. */
  unsent: PlannedNotification[];
  /** Whether it reaches the end of the period. It does not for an alert with very many repeats. */
  isComplete: boolean;
}

/**
 * Returns what would be sent in `[alert.recordedAt, untilMs]` if every attempt succeeded. Facts may lie in the past or
 * in the future: each takes effect when it becomes known, as it would for a real alert.
 */
export function forecast(facts: NotificationFacts, policies: readonly PolicyRule[], untilMs: number): Forecast {
  const plans = forecasting(facts, policies, untilMs);
  for (;;) {
    const { done, value } = plans.next();
    if (done) return value;
  }
}

/**
 * Computes a `forecast`. Yields after each of its plans, so that a caller can share the thread with other work or stop:
 * the number of notifications that the plan dealt with, to which its CPU time is proportional.
 */
export function* forecasting(
  facts: NotificationFacts,
  policies: readonly PolicyRule[],
  untilMs: number,
): Generator<number, Forecast> {
  const sent: Forecast['sent'] = [];
  const recorded: RecordedNotification[] = [...facts.recorded];
  const changes = changesOf(facts.alert);
  let now = facts.alert.recordedAt;
  for (let count = 1; ; count += 1) {
    const alert = knownAt(facts.alert, now);
    const { notifications, lookAgainAt } = plan({ ...facts, alert, recorded }, policies, now);
    const due = notifications.filter(({ status }) => status === 'pending');
    for (const one of due) {
      sent.push({ ...one, dueAt: now });
      const { kind, policyId, step, repeat, channelId } = one;
      const outcome = { attempts: [{ at: now, outcome: 'sent' as const }], settled: true, channelFailedAt: null };
      recorded.push({ kind, policyId, step, repeat, channelId, dueAt: now, ...outcome });
    }
    yield recorded.length + 1;
    const isLast = count === MAX_PLANS;
    if (due.length > 0 && !isLast) continue;
    const next = Math.min(lookAgainAt ?? Infinity, ...changes.filter((at) => at > now));
    if (next > untilMs || isLast)
      return { sent, unsent: notifications, isComplete: next > untilMs && due.length === 0 };
    now = next;
  }
}
