import { type NotificationFacts, type RecordedNotification } from './facts.js';
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
}

/** Returns what would be sent in `[alert.recordedAt, untilMs]` if every attempt succeeded and nothing else happened. */
export function forecast(facts: NotificationFacts, policies: readonly PolicyRule[], untilMs: number): Forecast {
  const sent: Forecast['sent'] = [];
  const recorded: RecordedNotification[] = [...facts.recorded];
  let now = facts.alert.recordedAt;
  for (let count = 0; ; count += 1) {
    const { notifications, lookAgainAt } = plan({ ...facts, recorded }, policies, now);
    const due = notifications.filter(({ status }) => status === 'pending');
    for (const one of due) {
      sent.push({ ...one, dueAt: now });
      const { kind, policyId, step, repeat, channelId } = one;
      const attempts = [{ at: now, outcome: 'sent' as const }];
      recorded.push({ kind, policyId, step, repeat, channelId, attempts, settled: true });
    }
    if (due.length > 0 && count < MAX_PLANS) continue;
    const ends = [facts.alert.end?.at, facts.alert.retractedAt].filter((at) => at != null && at > now);
    const next = Math.min(lookAgainAt ?? Infinity, ...ends.map(Number));
    if (next > untilMs || count >= MAX_PLANS) return { sent, unsent: notifications };
    now = next;
  }
}
