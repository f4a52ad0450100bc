import { type Span } from '../span.js';
import { type MatchedMonitor, type NotifiedEvent, type PolicyMatch } from './policy.js';

/**
 * The history that a plan is computed from. All times are epoch milliseconds, and all are the times at which something
 * was recorded: a backdated start or end must not change what was due before it was known. A history only grows, which
 * makes plans of different moments agree on the past; ends of spans in the future may still change.
 */
export interface NotificationFacts {
  alert: AlertFacts;
  /** All channels of the team. */
  channels: readonly ChannelFacts[];
  /** The notifications that are stored for this alert; of the repeats, the latest of each step and channel suffices. */
  recorded: readonly RecordedNotification[];
}

/** An incident in one episode, or another event that policies can notify of. */
export interface AlertFacts {
  incidentId: string;
  /** Counts from 1; a reopened incident is a new episode. */
  episode: number;
  event: NotifiedEvent;
  /** Whether its end is no news, although that of others of its event is. */
  isNotice?: boolean;
  recordedAt: number;
  /** Steps count from then if that is later than `recordedAt`: what ends before notifies nobody. */
  notBefore?: number;
  /** Empty for events of the team, which do not depend on the match of a policy. */
  monitors: readonly AlertMonitor[];
  /** Set if nothing is known of its monitors any more: they were deleted before the first plan. */
  areMonitorsGone?: boolean;
  /** Monitors that are down because of this alert, and whose own alerts it replaces. */
  children: readonly MatchedMonitor[];
  end: AlertEnd | null;
  /** The channels that know of it from earlier alerts, with which it shares an alert at a provider. */
  knownAt?: readonly string[];
  retractedAt: number | null;
  acknowledgements: readonly Acknowledgement[];
  /** Spans in which a flapping monitor is up while its incident is open. */
  upSpans: readonly Span[];
  silences: readonly SilenceFacts[];
  parents: readonly ParentFacts[];
}

export interface AlertEnd {
  at: number;
  how: 'resolved' | 'paused' | 'deleted';
  /** Set if a later alert continues it, with which it shares an alert at a provider. */
  isReplaced?: boolean;
}

export interface AlertMonitor extends MatchedMonitor {
  /** Maintenance since the incident was recorded. */
  maintenance: readonly Hold[];
  /** The end of the pause with which this episode began; absent if it began otherwise. */
  resumed?: Hold;
}

/** A span that holds alerts back, even after its end until it is known that the monitor still fails. */
export interface Hold extends Span {
  /**
   * When the first failing check after the end was recorded; `null` if none was. The end itself for a monitor that awaits
   * reports, which is not checked.
   */
  failsAgainAt: number | null;
}

export interface Acknowledgement {
  at: number;
  /** When it expires, or was withdrawn; `null` for never. */
  until: number | null;
  /** The channel whose provider reported it, and which therefore need not hear of it. */
  reportedBy?: string;
}

export interface SilenceFacts extends Span {
  match: PolicyMatch;
}

export interface ParentFacts {
  /** When a result newer than the first failure of the child was recorded; `null` if there is none yet. */
  answeredAt: number | null;
  /** When the parent was down. */
  down: readonly Hold[];
}

export interface ChannelFacts {
  id: string;
  enabled: boolean;
  /** Since when the channel has failed; `null` if it works. */
  failingSince: number | null;
  /** Whether it opens an alert at a provider for a notice too, which must be closed. Absent: it does not. */
  closesNotices?: boolean;
}

export type NotificationKind = 'trigger' | 'repeat' | 'acknowledged' | 'resolve' | 'correction' | 'notice';

/** What identifies a notification of an alert. */
export interface NotificationAddress {
  kind: NotificationKind;
  /** `null` for the fallback and for `no_policy`. */
  policyId: string | null;
  /** Counts from 1; {@link FALLBACK_STEP} stands for the channels that are used when all others failed. */
  step: number;
  /** Counts repeats and acknowledgements from 1; 0 for everything else. */
  repeat: number;
  /** {@link OWNERS_EMAIL} for the email of the owners; `null` if nobody is notified. */
  channelId: string | null;
}

export const FALLBACK_STEP = 0;
export const OWNERS_EMAIL = 'owners';

export interface Attempt {
  at: number;
  /** `failed`: may work later; `refused`: never will; `unknown`: the sender stopped before it knew. */
  outcome: 'sent' | 'failed' | 'refused' | 'unknown';
}

/** A stored notification. Its status is no fact: the plan decides it again each time. */
export interface RecordedNotification extends NotificationAddress {
  /** When it was due, or is to be; `null` if that is not known. */
  dueAt: number | null;
  /** Oldest first. */
  attempts: readonly Attempt[];
  /** It was sent or given up; no further attempt follows. */
  settled: boolean;
  /**
   * When three attempts to send anything through the channel had failed since it was due, or when it was given up; `null`
   * if neither happened. A channel that fails is tried with some of what is due, so it may be the only sign of a failure.
   */
  channelFailedAt: number | null;
}

const FAILED_ATTEMPTS = 3;

/**
 * Returns when a notification failed: at a permanent refusal, at its third failed attempt, or with its channel; `null` if
 * it did not.
 */
export function failedAt({ attempts, channelFailedAt }: RecordedNotification): number | null {
  const failures = attempts.filter(({ outcome }) => outcome === 'failed' || outcome === 'refused');
  const fatal = failures.find(({ outcome }, index) => outcome === 'refused' || index === FAILED_ATTEMPTS - 1);
  if (fatal === undefined) return channelFailedAt;
  return Math.min(fatal.at, channelFailedAt ?? Infinity);
}

/** Returns whether a receiver has seen a notification, or may have. */
export function mayBeDelivered({ attempts }: RecordedNotification): boolean {
  return attempts.some(({ outcome }) => outcome === 'sent' || outcome === 'unknown');
}

/** Returns the moment from which nothing new is sent about an alert, except its end; `null` while it is open. */
export function closedAt({ end, retractedAt }: Pick<AlertFacts, 'end' | 'retractedAt'>): number | null {
  if (end === null) return retractedAt;
  return retractedAt === null ? end.at : Math.min(end.at, retractedAt);
}
