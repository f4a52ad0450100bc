import {
  type MessageFacts,
  type MessageKind,
  type MessageMonitor,
  type MessageReason,
} from '../../channels/message.js';
import { ERROR_CODES, type ErrorCode } from '../../domain/error-codes.js';
import { listed } from '../../domain/listed.js';
import { type PlanNote } from '../../domain/notification-plan/planned.js';
import { MAX_ALERTS } from '../../domain/notification-plan/storm-alert.js';
import { type NotifiedEvent } from '../../domain/notification-plan/policy.js';
import { type AlertSubject } from './alert-history.js';
import { type SeenMonitor } from './notification-timer.entity.js';

/** Monitors that a message names; it counts the others. */
const MAX_NAMED = 10;

/** Failed channels, or people who acknowledged, that a message names; it counts the others. */
const MAX_LISTED = 3;

/** A monitor as the alert last saw it, with its runbook and what its locations find as they are now. */
export type LinkedMonitor = SeenMonitor & Pick<MessageMonitor, 'runbookUrl' | 'locations'>;

/** One notification of a message, with its alert as it is now. */
export interface MessageMember {
  kind: MessageKind;
  event: NotifiedEvent;
  alertKey: string;
  isDrill: boolean;
  incidentId: string | null;
  note: PlanNote | null;
  subject: AlertSubject;
  /** When the alert ended; null while it lasts. */
  endedAt: string | null;
  monitors: readonly LinkedMonitor[];
  /** What the check that confirmed the incident found. */
  evidence: Pick<MessageReason, 'statusCode' | 'failedAssertion'>;
  /** The names of the channels that failed, and instead of which this one is notified. */
  failedChannels: readonly string[];
}

export interface MessageContext {
  /** The id of the notification, or of the first one of a collected message. */
  id: string;
  nowMs: number;
  teamName: string;
  /** Where people reach the service. */
  origin: string;
  isWidespread: boolean;
  /** The link that acknowledges what the message reports. */
  acknowledgeLink: string;
  /** The storm alert that the message opens, repeats or resolves; null for an ordinary message. */
  stormKey: string | null;
}

/**
 * Returns the facts of a message about these notifications. The first of an alert that lasts leads, or else the first one:
 * its alert is named first, and gives the reason and the times.
 */
export function messageFacts(members: readonly MessageMember[], context: MessageContext): MessageFacts {
  const { id, nowMs, teamName, origin, isWidespread, acknowledgeLink, stormKey } = context;
  const lead = members.find(isOpen) ?? members.find(isOpening) ?? members[0]!;
  const { subject, incidentId } = lead;
  const all = distinct(
    members.flatMap((one) => one.monitors.map((monitor) => seen(monitor, isRecovery(one)))),
    lead,
  );
  const named = all.slice(0, MAX_NAMED);
  const rest = all.slice(MAX_NAMED);
  const first = named[0];
  return {
    id,
    alertKey: stormKey ?? lead.alertKey,
    isStorm: stormKey !== null,
    kind: lead.kind,
    event: lead.event,
    impact: impactOf(lead),
    isTest: false,
    isDrill: lead.isDrill,
    at: new Date(nowMs).toISOString(),
    teamName,
    topic: HAVE_TOPICS.has(lead.event) ? subject.title : null,
    reason: commonReason(lead, members),
    startedAt: subject.startedAt,
    resolvedAt: lead.kind === 'resolve' ? (subject.resolvedAt ?? lead.endedAt) : subject.resolvedAt,
    expiresAt: subject.expiresAt,
    location: lead.event === 'location_offline' ? subject.title : null,
    monitors: named,
    moreMonitors: rest.filter(({ recovered }) => !recovered).length,
    moreRecovered: rest.filter(({ recovered }) => recovered).length,
    isWidespread,
    incident: incidentId === null ? null : { id: incidentId, title: subject.title ?? '' },
    links: {
      incident: incidentId === null ? null : `${origin}/incidents/${incidentId}`,
      monitor: first ? `${origin}/monitors/${first.id}` : null,
      acknowledge: members.some((one) => isOpen(one) && one.incidentId !== null) ? acknowledgeLink : null,
      runbook: first?.runbookUrl ?? null,
    },
    note: stormKey === null ? noteOf(lead, members) : STORM_NOTE,
    timeZone: 'UTC',
  };
}

/** Events that are not about monitors, but about something else with a name. */
const HAVE_TOPICS: ReadonlySet<NotifiedEvent> = new Set(['maintenance', 'channel_failing']);

function isOpening({ kind }: MessageMember): boolean {
  return kind === 'trigger' || kind === 'repeat';
}

function isOpen(member: MessageMember): boolean {
  return isOpening(member) && member.endedAt === null;
}

/** The alerts of a message that was collected some time ago may have ended since. */
function isRecovery({ kind, endedAt }: MessageMember): boolean {
  return kind === 'resolve' || endedAt !== null;
}

function seen(monitor: LinkedMonitor, recovered: boolean): MessageMonitor {
  const { id, name, target, tags, runbookUrl, locations } = monitor;
  return { id, name, target, tags, runbookUrl, locations: recovered ? [] : locations, recovered };
}

/** Keeps one entry for each monitor, that of its latest notification. Those of the lead come first. */
function distinct(monitors: readonly MessageMonitor[], lead: MessageMember): MessageMonitor[] {
  const latest = new Map(monitors.map((one) => [one.id, one]));
  const ids = new Set([...lead.monitors.map(({ id }) => id), ...latest.keys()]);
  return [...ids].map((id) => latest.get(id)!);
}

function impactOf({ event, subject }: MessageMember): MessageFacts['impact'] {
  if (event === 'degraded') return 'degraded';
  if (event === 'down' || event === 'unknown') return event;
  return subject.impact === 'down' || subject.impact === 'degraded' ? subject.impact : 'none';
}

/** Returns the reason of the lead, unless others that last have another one. */
function commonReason(lead: MessageMember, members: readonly MessageMember[]): MessageReason | null {
  const reason = reasonOf(lead);
  const isCommon = members.filter(isOpen).every((one) => {
    const other = reasonOf(one);
    return other?.code === reason?.code && other?.statusCode === reason?.statusCode;
  });
  return isCommon ? reason : null;
}

function reasonOf({ event, subject: { cause }, evidence }: MessageMember): MessageReason | null {
  if (event !== 'down' && event !== 'unknown') return null;
  if (!cause || !ERROR_CODES.includes(cause.errorCode as ErrorCode)) return null;
  const code = cause.errorCode as ErrorCode;
  return { code, message: cause.message, statusCode: evidence.statusCode, failedAssertion: evidence.failedAssertion };
}

const STORM_NOTE = `More than ${MAX_ALERTS} alerts were opened within a minute. This message covers all further ones.`;

const NOTES: Record<PlanNote, string> = {
  still_down_after_maintenance: 'Still down after maintenance.',
  acknowledgement_ended: 'The acknowledgement has ended, and the outage continues.',
  paused: 'The monitor was paused.',
  deleted: 'The monitor was deleted.',
};

const CHANNEL_NOTES: Partial<Record<PlanNote, string>> = {
  paused: 'The channel was disabled.',
  deleted: 'The channel was deleted.',
};

/** What a message says about several alerts that have ended in the same way. */
const NOTES_OF_SEVERAL: Partial<Record<PlanNote, string>> = {
  paused: 'The monitors were paused.',
  deleted: 'The monitors were deleted.',
};

function noteOf(lead: MessageMember, members: readonly MessageMember[]): string | null {
  const failedChannels = [...new Set(members.flatMap((one) => one.failedChannels))];
  if (failedChannels.length > 0) return failureNote(failedChannels);
  const { kind, event, note, subject } = lead;
  if (new Set(members.map(({ alertKey }) => alertKey)).size > 1) {
    if (kind === 'acknowledged') return acknowledgementNote(members);
    return (kind === 'resolve' && note !== null && NOTES_OF_SEVERAL[note]) || null;
  }
  if (kind === 'acknowledged') {
    const { acknowledgedUntil } = subject;
    const until =
      acknowledgedUntil === null
        ? ''
        : ` until ${new Date(acknowledgedUntil).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
    return `${acknowledgedBy(lead)} acknowledged this${until}.`;
  }
  if (note === null) return subject.detail;
  return (event === 'channel_failing' && CHANNEL_NOTES[note]) || NOTES[note];
}

/** Names everyone who acknowledged one of several alerts. */
function acknowledgementNote(members: readonly MessageMember[]): string {
  return `Acknowledged by ${shortened([...new Set(members.map(acknowledgedBy))])}.`;
}

function acknowledgedBy({ subject }: MessageMember): string {
  return subject.acknowledgedBy ?? 'Someone';
}

function failureNote(names: readonly string[]): string {
  const channels = names.length === 1 ? 'notification channel' : 'notification channels';
  return `You are notified because the ${channels} ${shortened(names.map((name) => `"${name}"`))} failed.`;
}

/** Lists names; beyond the first {@link MAX_LISTED}, it counts them. */
function shortened(names: readonly string[]): string {
  const all = names.slice(0, MAX_LISTED);
  if (names.length > all.length) all.push(`${names.length - all.length} more`);
  return listed(all);
}
