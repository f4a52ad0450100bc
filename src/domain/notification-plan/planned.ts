import {
  type AlertFacts,
  closedAt,
  FALLBACK_STEP,
  type NotificationAddress,
  type NotificationFacts,
  type RecordedNotification,
} from './facts.js';
import { type StopReason } from './stops.js';

/** Why a notification waits, or is not sent. */
export type PlanReason =
  StopReason | 'resolved_before_step' | 'collected' | 'channel_disabled' | 'policy_disabled' | 'no_policy';

/** What a message adds to the event itself. */
export type PlanNote = 'still_down_after_maintenance' | 'acknowledgement_ended' | 'paused' | 'deleted';

/** A notification that is to be sent, waits, or is not sent. */
export interface PlannedNotification extends NotificationAddress {
  /** Unique: see `notificationKey`. */
  key: string;
  /** When it is or was due. Epoch milliseconds; `null` while it waits for something whose end is not known. */
  dueAt: number | null;
  status: 'pending' | 'held' | 'suppressed';
  reason: PlanReason | null;
  /** The key of the notification that stands for this one, if the reason is `collected`. */
  into: string | null;
  /** Only for a `resolve`: no trigger was delivered to the channel, so this message reports start and end. */
  replacesTrigger: boolean;
  note: PlanNote | null;
}

/** The kinds that report an event; the others follow one of them. */
const OPENING_KINDS: ReadonlySet<NotificationAddress['kind']> = new Set(['trigger', 'repeat', 'notice']);

/** Returns the id of an alert at a provider: the dedup key of its triggers, repeats, acknowledgements and resolve. */
export function alertKeyOf({ incidentId, episode }: Pick<AlertFacts, 'incidentId' | 'episode'>): string {
  return `${incidentId}/${episode}`;
}

/**
 * Returns the identity of a notification. Its end and its acknowledgements exist once per channel, whichever policies
 * name that; the fallback once per alert; `no_policy` once per incident.
 */
export function notificationKey(alert: AlertFacts, address: NotificationAddress): string {
  const { kind, policyId, step, repeat, channelId } = address;
  if (channelId === null) return `${alert.incidentId}/no_policy`;
  const own = [alertKeyOf(alert), kind];
  if (kind === 'acknowledged') own.push(String(repeat));
  else if (OPENING_KINDS.has(kind) && step === FALLBACK_STEP) own.push('fallback');
  else if (kind !== 'resolve' && kind !== 'correction') own.push(policyId ?? '', String(step), String(repeat));
  return [...own, channelId].join('/');
}

/** The facts, prepared for the parts of a plan. */
export interface View extends NotificationFacts {
  now: number;
  closedAt: number | null;
  /** The last moment of which the plan decides: now, or the millisecond before the alert closed. */
  horizon: number;
  recordedByKey: ReadonlyMap<string, RecordedNotification>;
  /** Triggers, repeats and notices of which a channel was sent at least one attempt. */
  attempted: readonly RecordedNotification[];
  /** What was attempted, followed by what was not because its channel had failed with other notifications. */
  tried: readonly RecordedNotification[];
}

export function viewOf(facts: NotificationFacts, now: number): View {
  const { recorded } = facts;
  const alert = knownBy(facts.alert, now);
  const closed = closedAt(alert);
  const openings = recorded.filter(({ kind }) => OPENING_KINDS.has(kind));
  const attempted = openings
    .filter(({ attempts }) => attempts.length > 0)
    .sort((a, b) => a.attempts[0]!.at - b.attempts[0]!.at || (keyOf(a) < keyOf(b) ? -1 : 1));
  const unreached = openings.filter(
    ({ attempts, channelFailedAt }) => attempts.length === 0 && channelFailedAt !== null,
  );
  return {
    ...facts,
    alert,
    now,
    closedAt: closed,
    horizon: closed === null ? now : closed - 1,
    recordedByKey: new Map(recorded.map((one) => [notificationKey(alert, one), one])),
    attempted,
    tried: [...attempted, ...unreached],
  };
  function keyOf(one: RecordedNotification): string {
    return notificationKey(alert, one);
  }
}

/** Leaves out an end in the future, which a forecast may contain. */
function knownBy(alert: AlertFacts, now: number): AlertFacts {
  const { end, retractedAt } = alert;
  return {
    ...alert,
    end: end !== null && end.at <= now ? end : null,
    retractedAt: retractedAt !== null && retractedAt <= now ? retractedAt : null,
  };
}

/** Returns a pending notification due at a moment; `changes` replace its fields. */
export function planned(
  view: View,
  address: NotificationAddress,
  dueAt: number,
  changes: Partial<PlannedNotification> = {},
): PlannedNotification {
  const { kind, policyId, step, repeat, channelId } = address;
  return {
    key: notificationKey(view.alert, address),
    kind,
    policyId,
    step,
    repeat,
    channelId,
    dueAt: Number.isFinite(dueAt) ? dueAt : null,
    status: 'pending',
    reason: null,
    into: null,
    replacesTrigger: false,
    note: null,
    ...changes,
  };
}

export function suppressed(reason: PlanReason): Pick<PlannedNotification, 'status' | 'reason'> {
  return { status: 'suppressed', reason };
}

/** Returns the key of the message that ends an alert on a channel. */
export function endKey({ alert }: View, channelId: string | null): string {
  const kind = alert.retractedAt !== null ? 'correction' : 'resolve';
  return notificationKey(alert, { kind, policyId: null, step: 0, repeat: 0, channelId });
}
