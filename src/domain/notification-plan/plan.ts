import { FALLBACK_STEP, type NotificationFacts } from './facts.js';
import { acknowledgementsOf, endingsOf } from './endings.js';
import { matches } from './matches.js';
import { notificationKey, planned, type PlannedNotification, type View, viewOf } from './planned.js';
import { type PolicyRule } from './policy.js';
import { type Draft, fallbackOf, openingsOf } from './triggers.js';

export interface NotificationPlan {
  /** Everything of the alert that is neither sent nor given up, ordered by key. */
  notifications: PlannedNotification[];
  /** When the passage of time next changes the plan. Epoch milliseconds; `null` if only new facts can change it. */
  lookAgainAt: number | null;
}

/**
 * Decides who is notified of an alert, and when.
 *
 * The plan follows from the facts alone: the history of the alert, and what was attempted. It does not depend on
 * earlier plans, so it may be computed at any time, by any process, and as often as desired. A caller stores the
 * notifications by key, and computes the plan again for each new fact (an attempt is one), at `lookAgainAt`, and before
 * it sends one: what has not been attempted may still be held back, withdrawn, or become pending again.
 *
 * 1. *Policies*. An enabled policy applies if its `on` names the event and its match selects one of the monitors or of
 *    the children that the alert stands for. A disabled policy leaves a row for each channel of its first step. Where
 *    no enabled policy applies to an outage, one row per incident records that.
 * 2. *Moments* (`momentsOf`). A policy's steps and repeats come due by a clock that starts when the incident is
 *    recorded. What comes due while steps wait (`stopsOf`) is released at the end of the wait.
 * 3. *Decisions*. What is due is pending unless steps wait, which holds it back. When the alert ends, what did not come
 *    due or was held back until then is suppressed with the reason; what was due and not delivered is replaced by the
 *    message that ends the alert. Of several notifications for one channel at one moment, one is sent. Of several
 *    repeats, the latest is sent.
 * 4. *Failures*. If all usable channels of a step fail, the next step is due at once. If there is none, all other
 *    healthy channels and the owners are notified, once per alert.
 * 5. *Ends* (`endingsOf`). A resolve goes wherever a trigger was attempted, a correction wherever a channel was
 *    notified of what turned out to be wrong. Nothing holds them back: no stop, and no change of policies or channels.
 */
export function plan(facts: NotificationFacts, policies: readonly PolicyRule[], now: number): NotificationPlan {
  const view = viewOf(facts, now);
  if (facts.alert.recordedAt > now) return { notifications: [], lookAgainAt: facts.alert.recordedAt };
  const applying = applyingPolicies(facts, policies).filter((policy) => {
    return policy.activeSince < (view.closedAt ?? Infinity);
  });
  const openings = applying.map((policy) => openingsOf(view, policy));
  openings.push(fallbackOf(view, openings));
  const all = openings.flatMap(({ drafts }) => drafts);
  const drafts = withoutDuplicates(all, now);
  const rows: PlannedNotification[] = [...drafts.map(toPlanned), ...endingsOf(view, drafts)];
  rows.push(...acknowledgementsOf(view));
  if (view.alert.event === 'down' && !isCovered(view, applying)) rows.push(noPolicy(view));
  rows.push(...withdrawn(view, rows));
  const moments = openings.flatMap((one) => one.lookAgain).filter((at) => at > now && Number.isFinite(at));
  return {
    notifications: rows
      .filter(({ key }) => !view.recordedByKey.get(key)?.settled)
      .sort((a, b) => (a.key < b.key ? -1 : 1)),
    lookAgainAt: moments.length > 0 ? Math.min(...moments) : null,
  };
}

/** Returns the policies, disabled ones included, that apply to an alert, ordered by id. */
export function applyingPolicies({ alert }: Pick<NotificationFacts, 'alert'>, policies: readonly PolicyRule[]) {
  const affected = [...alert.monitors, ...alert.children];
  const isOfTeam = affected.length === 0 && !alert.areMonitorsGone;
  return policies
    .filter(({ on, match }) => {
      return on.includes(alert.event) && (isOfTeam || 'all' in match || affected.some((one) => matches(match, one)));
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/**
 * Collects notifications of the same channel and moment into one: the one that was attempted, or else a step rather than
 * a repeat or the fallback, and the first in the order of policies and steps.
 */
function withoutDuplicates(drafts: readonly Draft[], now: number): Draft[] {
  const groups = new Map<string, Draft[]>();
  for (const one of drafts) {
    const counts = one.status === 'pending' || attemptedAt(one) !== NEVER;
    if (!counts || one.releasedAt > now) continue;
    const moment = `${one.releasedAt} ${one.channelId}`;
    groups.set(moment, [...(groups.get(moment) ?? []), one]);
  }
  const into = new Map<Draft, string>();
  for (const group of groups.values()) {
    const [first, ...others] = group.sort(
      (a, b) => attemptedAt(a) - attemptedAt(b) || rank(a) - rank(b) || (a.key < b.key ? -1 : 1),
    );
    for (const one of others) if (attemptedAt(one) === NEVER) into.set(one, first!.key);
  }
  return drafts.map((one) => {
    const key = into.get(one);
    return key === undefined ? one : { ...one, status: 'suppressed', reason: 'collected', into: key };
  });
}

/** Later than any moment, but a number that can be subtracted from itself. */
const NEVER = Number.MAX_SAFE_INTEGER;

function rank({ repeat, step }: Draft): number {
  if (repeat > 0) return 1;
  return step === FALLBACK_STEP ? 2 : 0;
}

function attemptedAt({ record }: Draft): number {
  return record?.attempts[0]?.at ?? NEVER;
}

/** Returns whether a policy notifies of the alert, or did before it was changed. */
function isCovered({ recorded }: View, applying: readonly PolicyRule[]): boolean {
  return applying.some(({ enabled }) => enabled) || recorded.some(({ attempts }) => attempts.length > 0);
}

function noPolicy(view: View): PlannedNotification {
  const nobody = { kind: 'trigger' as const, policyId: null, step: 0, repeat: 0, channelId: null };
  return planned(view, nobody, view.alert.recordedAt, { status: 'suppressed', reason: 'no_policy' });
}

/** Returns the stored notifications that no current policy asks for: a policy was changed, disabled or deleted. */
function withdrawn(view: View, rows: readonly PlannedNotification[]): PlannedNotification[] {
  const keys = new Set(rows.map(({ key }) => key));
  return view.recorded.flatMap((one) => {
    if (one.settled || one.channelId === null || keys.has(notificationKey(view.alert, one))) return [];
    return planned(view, one, view.now, { status: 'suppressed', reason: 'policy_disabled' });
  });
}

function toPlanned({ releasedAt: _, record: __, ...notification }: Draft): PlannedNotification {
  return notification;
}
