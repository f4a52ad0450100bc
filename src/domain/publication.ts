/** What happened, as a mail to subscribers states it first. */
export type PublicationState =
  | 'investigating'
  | 'identified'
  | 'monitoring'
  | 'resolved'
  | 'postmortem'
  | 'note'
  | 'detected'
  | 'recovered'
  | 'scheduled'
  | 'rescheduled'
  | 'cancelled'
  | 'started'
  | 'ended';

/** What subscribers are sent, as it was when it was published. */
export interface PublicationContent {
  kind: 'incident' | 'maintenance';
  /** The id of the incident or the maintenance window. */
  subjectId: string;
  state: PublicationState;
  /** Null for an incident that nobody has given a title: pages name it after their component. */
  title: string | null;
  /** In CommonMark; null if there is none. */
  text: string | null;
  /** When it was published, RFC 3339. */
  at: string;
  /** When maintenance begins and ends; null for incidents and for maintenance without a schedule. */
  startsAt: string | null;
  endsAt: string | null;
}

/** An event that is published, as far as it matters here. */
export interface PublishedEvent {
  type: string;
  occurredAt: string;
  resource: { id: string; name: string | null };
  data: Record<string, unknown>;
}

const WINDOW_STATES: Readonly<Record<string, PublicationState>> = {
  'maintenance_window.created': 'scheduled',
  'maintenance_window.updated': 'rescheduled',
  'maintenance_window.deleted': 'cancelled',
  'maintenance.started': 'started',
  'maintenance.ended': 'ended',
};

/** What is published only before the maintenance begins. */
const AHEAD: ReadonlySet<PublicationState> = new Set<PublicationState>(['scheduled', 'rescheduled', 'cancelled']);

interface PublishedUpdate {
  at: string;
  phase: PublicationState;
  text: string;
  public: boolean;
}

/**
 * Returns what subscribers are sent of an event that asks for it; null if there is nothing to send, as for maintenance
 * that is over before it could be announced, or was cancelled after it had begun.
 *
 * @param title the title that somebody has chosen for the incident, if it is about one: a default title names the monitor
 */
export function publicationOf(event: PublishedEvent, title: string | null, nowMs: number): PublicationContent | null {
  const { type, occurredAt, resource, data } = event;
  const state = data.cancelled === true ? 'cancelled' : data.announced === true ? 'scheduled' : WINDOW_STATES[type];
  if (state === undefined) {
    const update = data.update as PublishedUpdate | undefined;
    // Whatever the event asks for, subscribers are sent nothing that status pages do not show.
    if (!update?.public) return null;
    const { phase, text, at } = update;
    return { kind: 'incident', subjectId: resource.id, state: phase, title, text, at, startsAt: null, endsAt: null };
  }
  const { startsAt, endsAt, description } = data as Record<string, string | null>;
  if (AHEAD.has(state) && (startsAt == null || Date.parse(startsAt) <= nowMs)) return null;
  return {
    kind: 'maintenance',
    subjectId: resource.id,
    state,
    title: resource.name,
    // Repeating the description once it no longer matters would only make the mail longer.
    text: state === 'ended' || state === 'cancelled' ? null : (description ?? null),
    at: occurredAt,
    startsAt: startsAt ?? null,
    endsAt: endsAt ?? null,
  };
}
