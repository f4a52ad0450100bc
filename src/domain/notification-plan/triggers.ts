import {
  failedAt,
  FALLBACK_STEP,
  mayBeDelivered,
  type NotificationAddress,
  type NotificationKind,
  OWNERS_EMAIL,
  type RecordedNotification,
} from './facts.js';
import { type Moment, momentsOf } from './moments.js';
import {
  endKey,
  notificationKey,
  planned,
  type PlannedNotification,
  type PlanReason,
  suppressed,
  type View,
} from './planned.js';
import { POINT_EVENTS, type PolicyRule } from './policy.js';
import { acknowledged, type Stops, stopsOf } from './stops.js';

/** A notification of a step or a repeat, with what is needed to recognise others of the same moment. */
export interface Draft extends PlannedNotification {
  releasedAt: number;
  record: RecordedNotification | null;
}

/** Notifications that open an alert. */
export interface Opening {
  drafts: Draft[];
  /** The future moments at which they may change. */
  lookAgain: number[];
  /** When the last step failed, and the policy it belongs to; `null` if it did not. */
  failure: { policyId: string; at: number } | null;
}

/** Plans the steps and repeats of a policy that applies to the alert. */
export function openingsOf(view: View, policy: PolicyRule): Opening {
  const { alert, horizon, closedAt } = view;
  const stops = stopsOf(alert, policy);
  const opening: Opening = { drafts: [], lookAgain: [], failure: null };
  const kind = kindOf(view);
  const failed = (step: number, releasedAt: number) => stepFailedAt(view, policy, step, releasedAt);
  const moments = momentsOf(alert, policy, stops, failed, horizon);
  let heldBy: PlanReason | null = null;
  for (const moment of moments) {
    const isDue = moment.dueAt <= horizon;
    if (!isDue && closedAt === null) opening.lookAgain.push(moment.dueAt);
    if (moment.repeat > 0) continue;
    for (const channelId of moment.channelIds) {
      const address = { kind, policyId: policy.id, step: moment.step, repeat: 0, channelId };
      if (isDue) {
        opening.drafts.push(judged(view, address, moment, stops));
      } else if (closedAt !== null) {
        opening.drafts.push(draft(view, address, moment, suppressed(heldBy ?? unreached(view))));
      }
    }
    if (isDue && moment.releasedAt > horizon) heldBy = stops.reasonAt(horizon);
  }
  const lastRepeat = moments.findLast(({ repeat, dueAt }) => repeat > 0 && dueAt <= horizon);
  if (lastRepeat) opening.drafts.push(...repeatsOf(view, policy, lastRepeat, stops));
  if (closedAt === null) opening.lookAgain.push(stops.nextEnd(horizon));
  if (!policy.enabled) return disabled(opening);
  const last = moments.findLast(({ repeat }) => repeat === 0);
  const at = last ? failed(last.step, last.releasedAt) : null;
  return { ...opening, failure: at === null ? null : { policyId: policy.id, at } };
}

/**
 * Plans the notifications of the channels that stand in where the last step of a policy failed: those of the team that
 * worked at that time and had not been used, and the email of the owners. Quiet hours do not hold them back, since they
 * belong to the policy that failed.
 */
export function fallbackOf(view: View, openings: readonly Opening[]): Opening {
  const [first] = openings.flatMap(({ failure }) => failure ?? []).sort((a, b) => a.at - b.at);
  const opening: Opening = { drafts: [], lookAgain: [], failure: null };
  if (!first || first.at > view.horizon) return opening;
  const ofSteps = view.tried.filter(({ step }) => step !== FALLBACK_STEP);
  const used = new Set(ofSteps.map(({ channelId }) => channelId));
  const healthy = view.channels.filter(
    ({ id, enabled, failingSince }) => enabled && !used.has(id) && (failingSince === null || failingSince > first.at),
  );
  const stops = stopsOf(view.alert, null);
  const moment = { dueAt: first.at, releasedAt: stops.release(first.at) };
  for (const channelId of [...healthy.map(({ id }) => id), OWNERS_EMAIL]) {
    const address = { kind: kindOf(view), policyId: first.policyId, step: FALLBACK_STEP, repeat: 0, channelId };
    opening.drafts.push(judged(view, address, moment, stops));
  }
  if (view.closedAt === null) opening.lookAgain.push(stops.nextEnd(view.horizon));
  return opening;
}

/** Decides about a notification that has come due. */
function judged(
  view: View,
  address: NotificationAddress,
  moment: Pick<Moment, 'dueAt' | 'releasedAt'>,
  stops: Stops,
): Draft {
  const { horizon, closedAt, alert } = view;
  const record = view.recordedByKey.get(notificationKey(alert, address));
  const wasAttempted = record !== undefined && record.attempts.length > 0;
  const isUsable = address.channelId === OWNERS_EMAIL || channelOf(view, address.channelId)?.enabled === true;
  if (!isUsable && !wasAttempted) return draft(view, address, moment, suppressed('channel_disabled'));
  const stop = stops.reasonAt(horizon);
  if (closedAt === null) {
    if (stop === null) return draft(view, address, moment);
    const until = stops.release(horizon);
    const dueAt = Number.isFinite(until) ? until : null;
    return draft(view, address, moment, { status: 'held', reason: stop, dueAt });
  }
  if (!wasAttempted && stop !== null) return draft(view, address, moment, suppressed(stop));
  // A retraction has nothing to correct where nothing was sent, and an event without an end has no other message.
  const hasEnd = address.kind !== 'notice' && (wasAttempted || alert.retractedAt === null);
  if (!hasEnd) return draft(view, address, moment, suppressed(unreached(view)));
  const end = { into: endKey(view, address.channelId) };
  return draft(view, address, moment, { ...suppressed('collected'), ...end });
}

/** Decides about the repeats of a policy. Only the latest is sent, and only where the step itself was, which comes first. */
function repeatsOf(view: View, policy: PolicyRule, last: Moment, stops: Stops): Draft[] {
  const ofPolicy = view.recorded.filter(({ kind, policyId, step }) => {
    return kind === 'repeat' && policyId === policy.id && step === last.step;
  });
  return [...last.channelIds].flatMap((channelId) => {
    const recorded = ofPolicy.filter((one) => one.channelId === channelId);
    const repeat = numberOf(last, recorded);
    const address = { kind: 'repeat' as const, policyId: policy.id, step: last.step, repeat, channelId };
    const isOpen = view.closedAt === null;
    const into = isOpen ? notificationKey(view.alert, address) : endKey(view, channelId);
    const replaced = recorded
      .filter((one) => !one.settled && !(isOpen && one.repeat === repeat))
      .map((one) => {
        const at = one.dueAt ?? Infinity;
        return draft(view, one, { dueAt: at, releasedAt: at }, { ...suppressed('collected'), into });
      });
    const isTold = view.attempted.some((one) => one.channelId === channelId && isDone(one));
    const isWanted = isOpen && (isTold || recorded.some((one) => one.repeat === repeat));
    return isWanted ? [...replaced, judged(view, address, last, stops)] : replaced;
  });
}

/**
 * Returns the number of the repeat of a moment. Where the interval was lengthened or the policy enabled again, fewer
 * repeats are due than were recorded, and the numbers go on after those.
 */
function numberOf({ repeat, dueAt }: Moment, recorded: readonly RecordedNotification[]): number {
  const latest = [...recorded].sort((a, b) => a.repeat - b.repeat).at(-1);
  if (!latest || latest.repeat < repeat) return repeat;
  return latest.dueAt !== null && latest.dueAt < dueAt ? latest.repeat + 1 : latest.repeat;
}

function draft(
  view: View,
  address: NotificationAddress,
  { dueAt, releasedAt }: Pick<Moment, 'dueAt' | 'releasedAt'>,
  changes: Partial<PlannedNotification> = {},
): Draft {
  const record = view.recordedByKey.get(notificationKey(view.alert, address)) ?? null;
  const time = changes.status === 'suppressed' ? dueAt : releasedAt;
  const note = address.kind === 'repeat' || address.kind === 'trigger' ? noteOf(view, address, releasedAt) : null;
  return { ...planned(view, address, time, { note, ...changes }), releasedAt, record };
}

function noteOf({ alert }: View, { kind }: NotificationAddress, releasedAt: number): PlannedNotification['note'] {
  if (kind === 'repeat') {
    return acknowledged(alert).some(({ to }) => to === releasedAt) ? 'acknowledgement_ended' : null;
  }
  const holds = alert.monitors.flatMap(({ maintenance }) => maintenance);
  return Number.isFinite(releasedAt) && holds.some(({ to }) => to !== null && to <= releasedAt)
    ? 'still_down_after_maintenance'
    : null;
}

/** Returns when all usable channels of a step had failed; `null` if one did not, or has not been tried. */
function stepFailedAt(view: View, policy: PolicyRule, step: number, releasedAt: number): number | null {
  const named = [...new Set(policy.steps[step - 1]?.channelIds)];
  const usable = named.filter((id) => channelOf(view, id)?.enabled);
  const failures = usable.map((channelId) => {
    const key = notificationKey(view.alert, { kind: kindOf(view), policyId: policy.id, step, repeat: 0, channelId });
    const own = view.recordedByKey.get(key);
    if (own && (own.attempts.length > 0 || own.channelFailedAt !== null)) return failedAt(own);
    // Another policy may have notified the channel at the same moment instead.
    const other = view.tried.find(
      (one) => one.channelId === channelId && (one.attempts[0]?.at ?? one.channelFailedAt!) >= releasedAt,
    );
    return other ? failedAt(other) : null;
  });
  if (failures.length === 0 || failures.includes(null)) return null;
  return Math.max(...failures.map((at) => at ?? 0));
}

/**
 * Leaves one row for each channel of the first step, which explains why it was not notified, and withdraws what was
 * attempted without success.
 */
function disabled({ drafts }: Opening): Opening {
  const left = drafts.filter(({ step, repeat, record }) => (step === 1 && repeat === 0) || record?.attempts.length);
  const rows = left.map((one) => ({ ...one, ...suppressed('policy_disabled'), into: null }));
  return { drafts: rows, lookAgain: [], failure: null };
}

function kindOf({ alert }: View): NotificationKind {
  return alert.isNotice || POINT_EVENTS.has(alert.event) ? 'notice' : 'trigger';
}

function unreached({ alert }: View): PlanReason {
  return alert.retractedAt === null && alert.end !== null && alert.end.how !== 'resolved'
    ? 'paused'
    : 'resolved_before_step';
}

function isDone(record: RecordedNotification): boolean {
  return mayBeDelivered(record) || record.settled;
}

function channelOf({ channels }: View, id: string | null) {
  return channels.find((one) => one.id === id);
}
