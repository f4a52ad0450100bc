import { type NotificationKind } from './facts.js';
import { type PlanNote } from './planned.js';
import { type NotifiedEvent } from './policy.js';

/** How long the notifications that follow a message are collected into the next ones. */
export const COLLECT_MS = 30_000;

/** A notification that a channel is to send. */
export interface DueNotification {
  key: string;
  /** What its alert is about; the messages about it are sent one after the other. */
  subjectId: string;
  event: NotifiedEvent;
  kind: NotificationKind;
  note: PlanNote | null;
  dueAt: number;
}

export interface Collection {
  /**
   * The keys of what each message contains, oldest first; with the members, the key of the first one must be stored
   * before the first attempt. Empty if nothing is sent now. A message of one member is an ordinary notification.
   */
  messages: string[][];
  /** Until when notifications are collected; `null` if the next one leaves at once. */
  collectsUntil: number | null;
}

/** Events that many monitors can have at the same time. A message about any other event names a single one. */
const SHARED_EVENTS: ReadonlySet<NotifiedEvent> = new Set(['down', 'degraded', 'unknown']);

/**
 * Decides what a channel that people read sends now. The first notification leaves at once and opens a window of
 * {@link COLLECT_MS}; all that are due by its end are sent together, which opens the next window. They form one message
 * for each thing that has to be said ({@link topicOf}), those about monitors first, so an outage of any number of
 * monitors, recoveries and repetitions included, is at most one message per window, and no notification is lost.
 *
 * The messages are sent at the same time, so a notification waits for the next window if an older one about the same
 * subject is in another message.
 * @param collectsUntil the value that the previous call for the channel returned
 */
export function collect(now: number, collectsUntil: number | null, pending: readonly DueNotification[]): Collection {
  if (collectsUntil !== null && now < collectsUntil) return { messages: [], collectsUntil };
  const due = pending.filter(({ dueAt }) => dueAt <= now);
  due.sort((a, b) => a.dueAt - b.dueAt || (a.key < b.key ? -1 : 1));
  const topics = new Map<string, DueNotification[]>();
  const topicOfSubject = new Map<string, string>();
  for (const one of due) {
    const topic = topicOf(one);
    const known = topicOfSubject.get(one.subjectId) ?? topic;
    topicOfSubject.set(one.subjectId, known);
    if (known !== topic) continue;
    const own = topics.get(topic);
    if (own) own.push(one);
    else topics.set(topic, [one]);
  }
  const messages = [...topics.values()].sort(([a], [b]) => rankOf(a!) - rankOf(b!));
  return {
    messages: messages.map((own) => own.map(({ key }) => key)),
    collectsUntil: messages.length > 0 ? now + COLLECT_MS : null,
  };
}

/**
 * Returns what a notification has in common with those that one message can report: which monitors are down and which
 * have recovered; or, of one event, which were acknowledged, paused and so on.
 */
function topicOf({ subjectId, event, kind, note }: DueNotification): string {
  const what = SHARED_EVENTS.has(event) ? event : `${event} ${subjectId}`;
  if (kind === 'trigger' || kind === 'repeat') return what;
  if (kind === 'resolve') return note === null ? what : `${what} ${note}`;
  return `${what} ${kind}`;
}

function rankOf({ event }: DueNotification): number {
  return SHARED_EVENTS.has(event) ? 0 : 1;
}
