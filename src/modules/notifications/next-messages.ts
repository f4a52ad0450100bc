import { type ChannelAudience } from '../../channels/channel.js';
import { collect } from '../../domain/notification-plan/collect.js';
import { type AlertNotification, CALM, type StormState } from '../../domain/notification-plan/storm-alert.js';
import { nextBatch } from '../../domain/notification-plan/storm-batch.js';
import { type AttemptedMessage } from './attempt-records.js';
import { type ChannelPause } from './channel-claims.service.js';
import { type DueNotification, idsOf, MAX_AT_ONCE } from './due-notifications.js';

/** What a channel does next. */
export interface NextMessages {
  due: DueNotification[];
  messages: AttemptedMessage[];
  /** When the last attempt of the first message was made; null if none was. RFC 3339. */
  triedAt: string | null;
  /** The ids of those for which an open storm alert stands. */
  absorbed: readonly string[];
  stormKey: string | null;
  /** What a channel for machines has sent then; null if that does not change. */
  storm: StormState | null;
}

/**
 * Chooses the next messages. A drill must not delay or change a message about a real alert, so what is due of it comes
 * last, in messages of its own. Null if there is nothing to do.
 */
export function choose(
  due: readonly DueNotification[],
  audience: ChannelAudience,
  pause: ChannelPause,
  nowMs: number,
): NextMessages | null {
  const real = due.filter((one) => !one.is_drill);
  const drills = due.filter((one) => one.is_drill);
  return chooseReal(real, audience, pause, nowMs) ?? chooseDrill(drills, audience, pause, nowMs);
}

/**
 * Chooses the next messages about real alerts: all that are collected for people; the next one within the limit of
 * alerts for machines; or, for programs, one notification of each of several alerts. The messages of an alert are sent
 * one after the other, and a channel that fails is tried with a single one.
 */
function chooseReal(
  due: readonly DueNotification[],
  audience: ChannelAudience,
  pause: ChannelPause,
  nowMs: number,
): NextMessages | null {
  if (audience === 'machines') return withinLimit(due, pause, nowMs);
  const messages = audience === 'people' ? forPeople(due, pause, nowMs) : forPrograms(due);
  return plain(messages.slice(0, pause.failingSince === null ? MAX_AT_ONCE : 1));
}

/**
 * Chooses the next message about a drill. What people get of one drill is collected, but not with other alerts; it
 * counts towards no limit.
 */
function chooseDrill(
  due: readonly DueNotification[],
  audience: ChannelAudience,
  pause: ChannelPause,
  nowMs: number,
): NextMessages | null {
  const own = due.filter((one) => one.subject_id === due[0]!.subject_id);
  const messages = audience === 'people' ? forPeople(own, { ...pause, collectsUntil: null }, nowMs) : forPrograms(due);
  return plain(messages.slice(0, 1));
}

/** Returns what is attempted if the next messages are these, each given by its notifications. */
function plain(messages: readonly DueNotification[][]): NextMessages | null {
  if (messages.length === 0) return null;
  const attempted = messages.map((members): AttemptedMessage => {
    const { id, message_id: begun, storm_key: stormKey } = members[0]!;
    return { ids: idsOf(members), messageId: begun ?? (members.length > 1 ? id : null), stormKey };
  });
  const { tried_at: triedAt } = messages[0]![0]!;
  return { due: messages.flat(), messages: attempted, triedAt, absorbed: [], stormKey: null, storm: null };
}

/** Returns one notification of each alert. */
function forPrograms(due: readonly DueNotification[]): DueNotification[][] {
  return untriedFirst(firstOfEach(due).map((one) => [one]));
}

/**
 * Returns the messages for people. A notification that was attempted alone stays alone: its receiver may have it, and
 * drops a second message with the same id, whatever else that contains. So that most can still be collected after a
 * failure, few messages are begun while the channel fails ({@link mayBegin}).
 */
function forPeople(due: readonly DueNotification[], pause: ChannelPause, nowMs: number): DueNotification[][] {
  const begun = due.filter((one) => one.message_id !== null || one.attempts > 0);
  const again = begunMessages(begun);
  if (pause.failingSince !== null && !mayBegin(again)) return untriedFirst(again);
  const waiting = new Set(begun.map((one) => one.subject_id));
  const fresh = due.filter((one) => !waiting.has(one.subject_id));
  const byId = new Map(fresh.map((one) => [one.id, one]));
  const pending = fresh.map(({ id, subject_id: subjectId, event, kind, note, due_at: dueAt }) => {
    return { key: id, subjectId, event, kind, note, dueAt: dueAt.getTime() };
  });
  const { messages } = collect(nowMs, pause.collectsUntil, pending);
  const collected = messages.map((ids) => ids.map((id) => byId.get(id)!));
  if (pause.failingSince !== null) {
    const place = new Map(due.map((one, index) => [one, index]));
    const first = (members: readonly DueNotification[]): number => Math.min(...members.map((one) => place.get(one)!));
    collected.sort((a, b) => first(a) - first(b));
  }
  return untriedFirst([...collected, ...again]);
}

/**
 * Returns whether a failing channel for people may be tried with a message that was not attempted before, given those that
 * were. Each of these doubles how many attempts must precede the next one: a channel that is down for hours leaves few
 * messages, and a single message that its receiver never accepts delays no other.
 */
function mayBegin(begun: readonly DueNotification[][]): boolean {
  const attempts = begun.reduce((sum, [first]) => sum + first!.attempts, 0);
  return attempts >= 2 ** begun.length - 1;
}

/** Returns what a channel for machines does next. */
function withinLimit(due: readonly DueNotification[], pause: ChannelPause, nowMs: number): NextMessages | null {
  const state = pause.storm ?? CALM;
  const storms = begunMessages(due.filter((one) => one.message_id !== null));
  const single = firstOfEach(due).filter((one) => one.message_id === null);
  // What a storm alert stands for must wait until that is delivered.
  const own = storms.length === 0 ? single : single.filter((one) => isAlone(one, state, nowMs));
  const ordered = untriedFirst([...own.map((one) => [one]), ...storms]);
  const [first] = ordered;
  if (!first) return null;
  if (first[0]!.message_id !== null) return plain([first]);
  const alerts = ordered.flat().filter((one) => one.message_id === null);
  const batch = nextBatch(nowMs, state, alerts.map(toAlertNotification))!;
  const { members, absorbed, stormKey, state: storm } = batch;
  const taken = new Set([...members, ...absorbed]);
  // The members of a storm alert are fixed by its first attempt, even if it has a single one.
  const messageId = stormKey === null ? null : (members[0] ?? null);
  const messages = members.length > 0 ? [{ ids: members, messageId, stormKey }] : [];
  const { tried_at: triedAt } = first[0]!;
  return { due: due.filter(({ id }) => taken.has(id)), messages, triedAt, absorbed, stormKey, storm };
}

function isAlone(one: DueNotification, storm: StormState, nowMs: number): boolean {
  return nextBatch(nowMs, storm, [toAlertNotification(one)])?.stormKey === null;
}

function toAlertNotification(one: DueNotification): AlertNotification {
  const { id, alert_key: alertKey, kind, due_at: dueAt, opens } = one;
  return { key: id, alertKey, kind, dueAt: dueAt.getTime(), opensAlert: opens };
}

/** Returns the notification of each alert that is due for longest, in the same order. */
function firstOfEach(due: readonly DueNotification[]): DueNotification[] {
  const first = new Map<string, DueNotification>();
  for (const one of due) {
    const other = first.get(one.subject_id);
    if (!other || isOlder(one, other)) first.set(one.subject_id, one);
  }
  return due.filter((one) => first.get(one.subject_id) === one);
}

/**
 * Returns the notifications of each message whose first attempt was made before, in its order. A message waits if an
 * older one reports the same alert.
 */
function begunMessages(begun: readonly DueNotification[]): DueNotification[][] {
  const byMessage = new Map<string, DueNotification[]>();
  for (const one of [...begun].sort((a, b) => (isOlder(a, b) ? -1 : 1))) {
    const id = one.message_id ?? one.id;
    const known = byMessage.get(id);
    if (!known) byMessage.set(id, [one]);
    else if (one.id === id) known.unshift(one);
    else known.push(one);
  }
  const reported = new Set<string>();
  return [...byMessage.values()].filter((members) => {
    const waits = members.some((one) => reported.has(one.subject_id));
    for (const one of members) reported.add(one.subject_id);
    return !waits;
  });
}

/**
 * Puts messages that were not attempted yet before others, and of these the one that was attempted least recently first:
 * a message that its receiver never accepts must not hold up those that it would accept.
 */
function untriedFirst(messages: readonly DueNotification[][]): DueNotification[][] {
  const triedAt = ([first]: readonly DueNotification[]): string => first!.tried_at ?? '';
  return [...messages].sort((a, b) => (triedAt(a) < triedAt(b) ? -1 : triedAt(a) > triedAt(b) ? 1 : 0));
}

function isOlder(a: DueNotification, b: DueNotification): boolean {
  const [ageOfA, ageOfB] = [a.due_at.getTime(), b.due_at.getTime()];
  return ageOfA === ageOfB ? a.id < b.id : ageOfA < ageOfB;
}
