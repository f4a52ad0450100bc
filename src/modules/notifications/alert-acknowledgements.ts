import { type Acknowledgement } from '../../domain/notification-plan/facts.js';

/** How long an acknowledgement stops the steps if its event does not say so. */
const ACKNOWLEDGED_SECONDS = 3_600;

/** The part of an alert that acknowledgements change. */
interface Acknowledged {
  acknowledgements: Acknowledgement[];
  end: object | null;
  subject: { acknowledgedBy: string | null; acknowledgedUntil: number | null };
}

interface IncidentEvent {
  type: string;
  recordedAt: number;
  actorName: string | null;
  data: Record<string, unknown>;
}

/**
 * Applies an event of an incident to the acknowledgements of its latest alert. Returns whether the event was about
 * nothing else.
 */
export function followAcknowledgement(alert: Acknowledged, event: IncidentEvent): boolean {
  const { type, recordedAt: at, data } = event;
  const { subject } = alert;
  if (type === 'incident.acknowledged' && alert.end === null) {
    const until = untilOf(event);
    const reportedBy = /^provider:(.+)$/.exec(String(data.acknowledgedBy))?.[1];
    alert.acknowledgements.push({ at, until, ...(reportedBy !== undefined && { reportedBy }) });
    subject.acknowledgedBy = acknowledgerOf(event);
    subject.acknowledgedUntil = until;
    return true;
  }
  if (type === 'incident.unacknowledged') {
    endAcknowledgement(alert, at);
    return true;
  }
  if (type === 'incident.updated' && data.acknowledgedUntil !== undefined && subject.acknowledgedBy !== null) {
    // A later acknowledgement may extend the one in effect.
    const until = untilOf(event);
    replaceLast(alert, until);
    subject.acknowledgedUntil = until;
  }
  return false;
}

/** Returns who acknowledged, as the subject of a sentence. */
function acknowledgerOf({ actorName, data }: IncidentEvent): string | null {
  const by = data.acknowledgedBy;
  if (by === 'owners') return 'An owner';
  return typeof by === 'string' && by.startsWith('channel:')
    ? `Someone in the channel "${actorName ?? ''}"`
    : actorName;
}

/** Older events do not state when an acknowledgement expires. */
function untilOf({ recordedAt, data }: IncidentEvent): number | null {
  if (data.acknowledgedUntil === undefined) return recordedAt + ACKNOWLEDGED_SECONDS * 1_000;
  return typeof data.acknowledgedUntil === 'string' ? Date.parse(data.acknowledgedUntil) : null;
}

function endAcknowledgement(alert: Acknowledged, at: number): void {
  const last = alert.acknowledgements.at(-1);
  if (last && (last.until === null || last.until > at)) replaceLast(alert, at);
  alert.subject.acknowledgedBy = null;
  alert.subject.acknowledgedUntil = null;
}

function replaceLast(alert: Acknowledged, until: number | null): void {
  const last = alert.acknowledgements.pop();
  if (last) alert.acknowledgements.push({ ...last, until });
}
