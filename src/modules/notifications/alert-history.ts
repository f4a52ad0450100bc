import { DAY_MS } from '../../domain/durations.js';
import { type Acknowledgement, type AlertEnd } from '../../domain/notification-plan/facts.js';
import { type NotifiedEvent } from '../../domain/notification-plan/policy.js';
import { type Span } from '../../domain/span.js';
import { UNOBSERVED_MS } from '../../domain/unobserved.js';
import { TURNS } from '../events/event.types.js';
import { followAcknowledgement } from './alert-acknowledgements.js';

/** An event as alerts are derived from it. */
export interface LoggedEvent {
  id: string;
  type: string;
  recordedAt: number;
  actorName: string | null;
  resourceId: string;
  resourceName: string | null;
  data: Record<string, unknown>;
}

/** What an alert is about, as of its latest event. */
export interface AlertSubject {
  title: string | null;
  startedAt: string | null;
  /** When the condition ended; null while it lasts. */
  resolvedAt: string | null;
  /** When the certificate or the domain expires. */
  expiresAt: string | null;
  cause: { errorCode: string; message: string } | null;
  impact: string;
  /** What else is known, in a sentence. */
  detail: string | null;
  /** Who acknowledged it last, and when that expires. */
  acknowledgedBy: string | null;
  acknowledgedUntil: number | null;
}

/** An alert as it follows from the log of events. Times are those at which something was recorded. */
export interface AlertHistory {
  /** The incident, or the event of an alert without an incident. */
  subjectId: string;
  incidentId: string | null;
  /** What it is about, if alerts of the same may follow, with which it shares an alert at a provider; otherwise null. */
  condition: string | null;
  /** The event that opened it. */
  eventId: string;
  episode: number;
  event: NotifiedEvent;
  /** Whether it is a notice, whose end nobody hears of, although others of its kind last. */
  isNotice: boolean;
  /** Whether the incident is a drill: nothing that happens to its monitor concerns it. */
  isDrill: boolean;
  recordedAt: number;
  /** Steps count from then if that is later than `recordedAt`: what ends before notifies nobody. */
  notBefore: number;
  /** When its monitor, which was down before a pause, was resumed: it may have recovered. Null for other alerts. */
  resumedAt: number | null;
  monitorIds: string[];
  end: AlertEnd | null;
  retractedAt: number | null;
  acknowledgements: Acknowledgement[];
  upSpans: Span[];
  subject: AlertSubject;
}

/**
 * Returns the alerts of an incident, oldest first: one for each time that it was opened or reopened, or that its paused
 * monitor was resumed while the outage lasted.
 * @param events those of the incident and of its monitors, in the order in which they were recorded
 */
export function alertsOfIncident(incidentId: string, events: readonly LoggedEvent[]): AlertHistory[] {
  const alerts: AlertHistory[] = [];
  let isOpen = false;
  /** The latest change of the monitor's state. */
  let turn: LoggedEvent | undefined;
  for (const event of events) {
    const last = alerts.at(-1);
    if (TURNS.has(event.type)) turn = event;
    if (event.resourceId === incidentId) {
      if (event.type === 'incident.opened' || event.type === 'incident.reopened') {
        isOpen = true;
        if (last && !isClosed(last)) continue;
        const alert = opened(incidentId, alerts.length + 1, event);
        if (isWorse(turn) && !alert.isDrill) alert.subject.detail = 'It was degraded before.';
        alerts.push(alert);
        continue;
      }
      if (event.type === 'incident.resolved') isOpen = false;
      if (!last) continue;
      follow(last, event);
      if (event.type === 'incident.resolved' && !last.isDrill) {
        last.subject.detail = turn?.type === 'monitor.degraded' ? 'Back up, still slow.' : null;
      }
      continue;
    }
    if (!last || last.event !== 'down' || last.isDrill) continue;
    if (event.type === 'monitor.paused') last.end ??= endBy(last, event, 'paused');
    const isResumed = event.type === 'monitor.resumed' && isOpen && last.end?.how === 'paused';
    if (isResumed) alerts.push(resumed(last, event));
    else flap(last, event);
  }
  return alerts;
}

/**
 * Returns the alert that a `monitor.degraded` event opens.
 * @param events the later events of the monitor, in the order in which they were recorded
 */
export function alertOfDegraded(opening: LoggedEvent, events: readonly LoggedEvent[]): AlertHistory {
  const alert: AlertHistory = {
    ...blank(opening, 'degraded'),
    monitorIds: [opening.resourceId],
    subject: { ...subjectOf(opening), title: null, impact: 'degraded', startedAt: iso(opening.recordedAt) },
  };
  const end = events.find((event) => END_OF_DEGRADED.has(event.type) && !isRepetition(event));
  if (!end) return alert;
  alert.end = endBy(alert, end, END_OF_DEGRADED.get(end.type)!);
  alert.subject.resolvedAt = iso(alert.end.at);
  return alert;
}

/** Returns whether a turn only states that a monitor without data is as it was before. */
export function isRepetition({ data }: LoggedEvent): boolean {
  return typeof data.groupId === 'string';
}

/** How long the start or the end of a maintenance window is news: longer than quiet hours of a weekend. */
const NEWS_MS = 3 * DAY_MS;

/**
 * Returns the notice of the start or the end of a maintenance window. It ends once it is no news any more, so that a
 * policy that is created or changed later does not send it.
 */
export function alertOfMaintenance(event: LoggedEvent, monitorIds: string[], nowMs: number): AlertHistory {
  const endMs = event.recordedAt + NEWS_MS;
  return {
    ...blank(event, 'maintenance'),
    monitorIds,
    end: nowMs < endMs ? null : { at: endMs, how: 'resolved' },
    subject: { ...subjectOf(event), impact: 'none' },
  };
}

/**
 * Returns the notice of a certificate that expires soon.
 * @param end when and why nobody needs to be notified of it any more
 */
export function alertOfCertificate(event: LoggedEvent, end: AlertHistory['end']): AlertHistory {
  const { data } = event;
  const detail = `Certificate ${certificateWords(textOf(data.subject), textOf(data.issuer))}.`;
  return alertOfExpiry(event, 'certificate_expiring', `certificate/${event.resourceId}`, end, detail);
}

/**
 * Returns the notice of a domain whose registration expires soon.
 * @param end when and why nobody needs to be notified of it any more
 */
export function alertOfDomain(event: LoggedEvent, end: AlertHistory['end']): AlertHistory {
  const registrar = textOf(event.data.registrar);
  const detail = `Domain ${event.resourceId}${registrar === null ? '' : `, registered with ${registrar}`}.`;
  const condition = `${textOf(event.data.expiresAt)}/domain/${event.resourceId}`;
  return alertOfExpiry(event, 'domain_expiring', condition, end, detail);
}

function alertOfExpiry(
  event: LoggedEvent,
  notified: NotifiedEvent,
  condition: string,
  end: AlertHistory['end'],
  detail: string,
): AlertHistory {
  const monitorIds = listOf(event.data.monitorIds);
  const subject: AlertSubject = { ...subjectOf(event), impact: 'none', detail };
  return { ...blank(event, notified), condition, monitorIds, end, subject };
}

/** Returns whose certificate it is, such as "of CN=example.com, issued by CN=R11". */
function certificateWords(subject: string | null, issuer: string | null): string {
  return [subject === null ? '' : `of ${subject}, `, `issued by ${issuer ?? 'an unnamed authority'}`].join('');
}

/**
 * Returns the alert that a `channel.failing` event opens. Unless the receiver refuses for good, it waits until the channel
 * has failed for a while, because most receivers are back soon.
 * @param events the later events of the channel, in the order in which they were recorded
 */
export function alertOfChannel(opening: LoggedEvent, events: readonly LoggedEvent[]): AlertHistory {
  const { recordedAt, data } = opening;
  const alert = blank(opening, 'channel_failing');
  if (data.permanent !== true) alert.notBefore = recordedAt + BLIP_MS;
  alert.subject = { ...alert.subject, startedAt: iso(recordedAt), detail: textOf(data.error) };
  const end = events.find(
    ({ type, data: { enabled } }) =>
      END_OF_FAILURE.has(type) || (type === 'notification_channel.updated' && enabled === false),
  );
  if (!end) return alert;
  alert.end = endBy(alert, end, END_OF_FAILURE.get(end.type) ?? 'paused');
  alert.subject.resolvedAt = iso(alert.end.at);
  return alert;
}

/**
 * Returns the alert of a `checking.interrupted` event, which is recorded when the checks are resumed. None for a short
 * interruption, such as an update of the service.
 */
export function alertsOfInterruption(event: LoggedEvent): AlertHistory[] {
  const subject = subjectOf(event);
  const { startedAt, resolvedAt } = subject;
  if (startedAt === null || resolvedAt === null) return [];
  if (Date.parse(resolvedAt) - Date.parse(startedAt) < UNOBSERVED_MS) return [];
  // What ends at the moment at which it begins comes due for nobody.
  return [{ ...blank(event, 'location_offline'), subject, end: { at: event.recordedAt + 1, how: 'resolved' } }];
}

/**
 * Returns the alert of a location that does not observe its monitors, which an event opens when that begins.
 * @param events the later events of the location, in the order in which they were recorded
 */
export function alertOfLocation(opening: LoggedEvent, events: readonly LoggedEvent[]): AlertHistory {
  const { recordedAt, data } = opening;
  const alert = { ...blank(opening, 'location_offline'), notBefore: recordedAt + UNOBSERVED_MS };
  const end = events.find((event) => event.type === 'checking.resumed' && event.data.reason === data.reason);
  if (!end) return alert;
  alert.end = endBy(alert, end, 'resolved');
  alert.subject.resolvedAt = iso(alert.end.at);
  return alert;
}

/** How long a channel must have failed before its team is notified. */
const BLIP_MS = 120_000;

const END_OF_FAILURE: ReadonlyMap<string, 'resolved' | 'deleted'> = new Map([
  ['channel.recovered', 'resolved'],
  ['notification_channel.deleted', 'deleted'],
]);

const END_OF_DEGRADED: ReadonlyMap<string, 'resolved' | 'paused' | 'deleted'> = new Map([
  ['monitor.up', 'resolved'],
  ['monitor.down', 'resolved'],
  // Earlier versions recorded it again after a gap or maintenance, as the beginning of another alert.
  ['monitor.degraded', 'resolved'],
  ['monitor.paused', 'paused'],
  ['monitor.deleted', 'deleted'],
]);

function isWorse(turn: LoggedEvent | undefined): boolean {
  return turn?.type === 'monitor.down' && turn.data.previousStatus === 'degraded';
}

function isClosed({ end, retractedAt }: AlertHistory): boolean {
  return end !== null || retractedAt !== null;
}

/** Returns an alert that an event without an incident opens, and that nothing has ended. */
export function blank(event: LoggedEvent, notified: NotifiedEvent): AlertHistory {
  return {
    subjectId: event.id,
    incidentId: null,
    condition: null,
    eventId: event.id,
    episode: 1,
    event: notified,
    isNotice: false,
    isDrill: false,
    recordedAt: event.recordedAt,
    notBefore: event.recordedAt,
    resumedAt: null,
    monitorIds: [],
    end: null,
    retractedAt: null,
    acknowledgements: [],
    upSpans: [],
    subject: subjectOf(event),
  };
}

function opened(incidentId: string, episode: number, event: LoggedEvent): AlertHistory {
  const isManual = event.data.kind === 'manual';
  return {
    ...blank(event, isManual ? 'manual_incident' : 'down'),
    subjectId: incidentId,
    incidentId,
    isDrill: event.data.kind === 'drill',
    episode,
    monitorIds: listOf(event.data.monitorIds),
    subject: { ...subjectOf(event), resolvedAt: null },
  };
}

function resumed(before: AlertHistory, { id, recordedAt }: LoggedEvent): AlertHistory {
  return {
    ...before,
    eventId: id,
    episode: before.episode + 1,
    recordedAt,
    notBefore: recordedAt,
    resumedAt: recordedAt,
    end: null,
    // The incident is the same, so somebody may still be working on it.
    acknowledgements: [...before.acknowledgements],
    upSpans: [],
    subject: { ...before.subject, resolvedAt: null },
  };
}

/** Applies a later event of the incident to its latest alert. */
function follow(alert: AlertHistory, event: LoggedEvent): void {
  const { type, recordedAt: at, data } = event;
  if (type === 'incident.retracted') alert.retractedAt ??= at;
  if (followAcknowledgement(alert, event)) return;
  if (type === 'incident.resolved' || type === 'incident.updated') {
    const known = subjectOf(event);
    const { subject } = alert;
    alert.subject = {
      ...subject,
      title: known.title ?? subject.title,
      startedAt: known.startedAt ?? subject.startedAt,
      cause: known.cause ?? subject.cause,
      impact: known.impact,
      // A late result may also correct the end of a resolved incident.
      resolvedAt: known.resolvedAt ?? (type === 'incident.resolved' ? iso(at) : subject.resolvedAt),
    };
    const monitorIds = listOf(data.monitorIds);
    if (monitorIds.length > 0) alert.monitorIds = monitorIds;
  }
  if (type === 'incident.resolved') {
    alert.end ??= endBy(alert, event, data.because === 'monitor_deleted' ? 'deleted' : 'resolved');
  }
}

/** Notes when the monitor of an open incident is up: it is flapping, or recovers at that moment. */
function flap(alert: AlertHistory, { type, recordedAt }: LoggedEvent): void {
  if (isClosed(alert)) return;
  const current = alert.upSpans.at(-1);
  if (type === 'monitor.down' && current?.to === null) current.to = recordedAt;
  const isUp = type === 'monitor.up' || type === 'monitor.degraded';
  if (isUp && current?.to !== null) alert.upSpans.push({ from: recordedAt, to: null });
}

function subjectOf({ resourceName, data }: LoggedEvent): AlertSubject {
  const cause = data.cause as { errorCode?: unknown; message?: unknown } | null | undefined;
  const hasCause = typeof cause?.errorCode === 'string';
  return {
    title: resourceName,
    startedAt: textOf(data.startedAt),
    resolvedAt: textOf(data.resolvedAt),
    expiresAt: textOf(data.validUntil) ?? textOf(data.expiresAt),
    cause: hasCause ? { errorCode: String(cause.errorCode), message: textOf(cause.message) ?? '' } : null,
    impact: textOf(data.impact) ?? 'none',
    detail: null,
    acknowledgedBy: null,
    acknowledgedUntil: null,
  };
}

/** Returns the end of an alert by a later event, which a clock that is behind may have recorded before its opening. */
function endBy({ recordedAt }: AlertHistory, event: LoggedEvent, how: AlertEnd['how']): AlertEnd {
  return { at: Math.max(recordedAt, event.recordedAt), how };
}

/** How a condition has ended at one monitor, and when, if that is known. */
export interface EndAtMonitor {
  how: AlertEnd['how'];
  at: Date | null;
}

/** Returns the end of an alert whose condition has ended at all of its monitors: when and how the last of them ended. */
export function endOfAll({ recordedAt }: LoggedEvent, monitors: readonly EndAtMonitor[]): AlertHistory['end'] {
  const at = Math.max(recordedAt + 1, ...monitors.map((one) => one.at?.getTime() ?? 0));
  const how = (['resolved', 'paused'] as const).find((word) => monitors.some((one) => one.how === word)) ?? 'deleted';
  return { at, how };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

export function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
