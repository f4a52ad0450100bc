import { Clock } from '../html/time-text.js';
import { parseUrl } from '../probes/net/parse-url.js';
import { EVENT_WORDS, REASON_WORDS } from './event-words.js';
import { locationSentence } from './location-words.js';
import { type Message, type MessageEvent, type MessageFacts, type MessageKind, type MessageReason } from './message.js';
import { cut, oneLine } from './plain-text.js';

const MAX_NAME = 120;
const MAX_TEXT = 500;
const MAX_SUBJECT = 250;
/** Names that a message lists; it counts the others. */
const MAX_NAMED = 50;

/** Creates a message from facts: removes what would disturb a display, shortens names, and writes the subject. */
export function composeMessage(facts: MessageFacts): Message {
  const recovers = facts.kind === 'resolve';
  const shown = facts.monitors.slice(0, MAX_NAMED);
  const unnamed = facts.monitors.slice(MAX_NAMED);
  const monitors = shown.map((one) => ({
    ...one,
    name: name(one.name),
    target: cut(oneLine(one.target), MAX_TEXT),
    runbookUrl: linkTo(one.runbookUrl),
    locations: one.locations.map((location) => ({ ...location, name: name(location.name) })),
    recovered: recovers || one.recovered,
  }));
  const recoveredLater = unnamed.filter((one) => recovers || one.recovered).length;
  const clean: MessageFacts = {
    ...facts,
    teamName: name(facts.teamName),
    topic: facts.topic === null ? null : name(facts.topic),
    location: facts.location === null ? null : name(facts.location),
    note: facts.note === null ? null : cut(oneLine(facts.note), MAX_TEXT),
    incident: facts.incident && { id: facts.incident.id, title: name(facts.incident.title) },
    reason: facts.reason && {
      ...facts.reason,
      message: cut(oneLine(facts.reason.message), MAX_TEXT),
      failedAssertion: facts.reason.failedAssertion && cut(oneLine(facts.reason.failedAssertion), MAX_TEXT),
    },
    links: {
      incident: linkTo(facts.links.incident),
      monitor: linkTo(facts.links.monitor),
      acknowledge: canBeAcknowledged(facts) ? linkTo(facts.links.acknowledge) : null,
      runbook: linkTo(facts.links.runbook),
    },
    monitors,
    moreMonitors: (recovers ? 0 : facts.moreMonitors) + unnamed.length - recoveredLater,
    moreRecovered: facts.moreRecovered + (recovers ? facts.moreMonitors : 0) + recoveredLater,
  };
  return { ...clean, subject: cut(subjectOf(clean), MAX_SUBJECT), durationSeconds: durationSeconds(clean) };
}

function canBeAcknowledged({ kind, resolvedAt }: MessageFacts): boolean {
  return (kind === 'trigger' || kind === 'repeat') && resolvedAt === null;
}

/** Returns whether a message concerns something that is over. */
export function isOver({ kind, resolvedAt }: Pick<MessageFacts, 'kind' | 'resolvedAt'>): boolean {
  return kind === 'resolve' || resolvedAt !== null;
}

/** Returns whether a message is only for the record, because nothing that it reports is to be closed later. */
export function isRecord(message: Pick<MessageFacts, 'kind' | 'resolvedAt' | 'event'>): boolean {
  return isOver(message) || message.event === 'maintenance';
}

/** Returns the subject: what happened, to what, why, and when. */
function subjectOf(facts: MessageFacts): string {
  const detail = detailOf(facts);
  const heading = `${marksOf(facts)}${headingOf(facts)}`;
  if (detail === '') return heading;
  return detail.startsWith('since ') ? `${heading} ${detail}` : `${heading}: ${detail}`;
}

function marksOf({ isTest, isDrill }: MessageFacts): string {
  return `${isTest ? 'TEST ' : ''}${isDrill ? 'DRILL ' : ''}`;
}

/** Returns what happened to what, such as "DOWN Checkout API and 37 more monitors, UP Search". */
function headingOf(facts: MessageFacts): string {
  const { affected, recovered } = membersOf(facts);
  if (affected.count > 0 && recovered.count > 0 && usesMonitors(facts)) {
    const up = EVENT_WORDS[facts.event].resolve;
    return `${wordOf(facts)} ${counted(affected)}, ${up} ${counted(recovered)}`;
  }
  return `${wordOf(facts)} ${subjectName(facts)}`;
}

/** Events whose notice may report what still lasts. */
const LASTING: ReadonlySet<MessageEvent> = new Set(['down', 'unknown']);

function wordOf({ kind, event, resolvedAt }: MessageFacts): string {
  const words = EVENT_WORDS[event];
  const byKind: Record<MessageKind, string> = {
    trigger: words.trigger,
    repeat: words.repeat,
    acknowledged: 'ACKNOWLEDGED',
    resolve: words.resolve,
    correction: 'CORRECTION',
    notice: resolvedAt === null && LASTING.has(event) ? words.trigger : words.notice,
  };
  return byKind[kind];
}

/** Returns the detail after the heading: why and since when, or for how long. */
function detailOf(facts: MessageFacts): string {
  const { kind, event, expiresAt, startedAt } = facts;
  const { condition } = EVENT_WORDS[event];
  const since = startedAt === null ? '' : `since ${timeOf(facts, startedAt)}`;
  const over = spanOf(facts);
  if (kind === 'correction') return startedAt === null ? '' : `was not ${condition} at ${timeOf(facts, startedAt)}`;
  if (kind === 'acknowledged') return since === '' ? condition : `${condition} ${since}`;
  if (expiresAt !== null && kind !== 'resolve') return expiryOf(facts, expiresAt);
  if (kind === 'resolve') return over === null ? '' : `was ${condition} for ${over}`;
  if (over !== null) return [over, reasonWords(facts.reason)].filter(Boolean).join(', ');
  return [reasonWords(facts.reason), since].filter(Boolean).join(' ');
}

/** Returns the cause in a few words, such as "status 503"; an empty text if it is not known. */
export function reasonWords(reason: MessageReason | null): string {
  if (!reason) return '';
  if (reason.code === 'unexpected_status' && reason.statusCode !== null) return `status ${reason.statusCode}`;
  return REASON_WORDS[reason.code];
}

/** Returns sentences that say what the subject says, and what it has no room for. */
export function sentencesOf(facts: MessageFacts): string[] {
  const { condition } = EVENT_WORDS[facts.event];
  const sentences: string[] = [];
  if (facts.isTest) sentences.push('This is a test message. No action is needed.');
  if (facts.isDrill) sentences.push('This is a drill. There is no outage.');
  if (facts.isWidespread)
    sentences.push(
      'Many monitors failed at the same time. They probably share a cause, or the problem is with the monitoring service itself.',
    );
  if (facts.kind === 'correction')
    sentences.push(`A late result shows that ${subjectName(facts)} was not ${condition}. No action is needed.`);
  const [monitor] = facts.monitors;
  const seen = monitor && countOf(facts) === 1 ? locationSentence(monitor.locations) : null;
  if (seen !== null) sentences.push(seen);
  if (facts.note !== null && facts.note !== '') sentences.push(facts.note);
  return sentences;
}

/** Returns the name of what a message is about, such as "Checkout API and 37 more monitors". */
export function subjectName(facts: MessageFacts): string {
  if (usesMonitors(facts)) {
    const { affected, recovered } = membersOf(facts);
    return counted(affected.count > 0 ? affected : recovered);
  }
  return otherName(facts) ?? facts.teamName;
}

/** Returns whether the subject names monitors; where an event has a name of its own, that comes first. */
function usesMonitors(facts: MessageFacts): boolean {
  const { affected, recovered } = membersOf(facts);
  return affected.count + recovered.count > 0 && (otherName(facts) === null || namesMonitors(facts.event));
}

function namesMonitors(event: MessageEvent): boolean {
  return event === 'down' || event === 'degraded' || event === 'unknown';
}

function otherName({ event, topic, location, incident }: MessageFacts): string | null {
  if (event === 'location_offline') return location ?? topic;
  return topic ?? incident?.title ?? null;
}

/** Returns how many monitors a message concerns. */
export function countOf({ monitors, moreMonitors, moreRecovered }: MessageFacts): number {
  return monitors.length + moreMonitors + moreRecovered;
}

interface Members {
  first: string | null;
  count: number;
}

function membersOf({ monitors, moreMonitors, moreRecovered }: MessageFacts): {
  affected: Members;
  recovered: Members;
} {
  const affected = monitors.filter((one) => !one.recovered);
  const recovered = monitors.filter((one) => one.recovered);
  return {
    affected: { first: affected[0]?.name ?? null, count: affected.length + moreMonitors },
    recovered: { first: recovered[0]?.name ?? null, count: recovered.length + moreRecovered },
  };
}

function counted({ first, count }: Members): string {
  if (first === null) return monitorCount(count);
  return count === 1 ? first : `${first} and ${count - 1} more monitor${count === 2 ? '' : 's'}`;
}

/** Returns "1 monitor" or "38 monitors". */
export function monitorCount(count: number): string {
  return `${count} monitor${count === 1 ? '' : 's'}`;
}

/** Returns the duration and the time of what is over, such as "18 min (14:02–14:20 UTC)"; null if it is not. */
export function spanOf(facts: MessageFacts): string | null {
  const seconds = durationSeconds(facts);
  if (seconds === null) return null;
  const from = timeOf(facts, facts.startedAt!);
  const to = timeOf(facts, facts.resolvedAt!);
  const zone = / \S+$/.exec(to)![0];
  const start = from.endsWith(zone) ? from.slice(0, -zone.length) : from;
  const day = /^.*, /.exec(start)?.[0] ?? '';
  return `${durationText(seconds)} (${start}–${day !== '' && to.startsWith(day) ? to.slice(day.length) : to})`;
}

function durationSeconds({ startedAt, resolvedAt }: MessageFacts): number | null {
  if (startedAt === null || resolvedAt === null) return null;
  return Math.max(0, Math.round((Date.parse(resolvedAt) - Date.parse(startedAt)) / 1_000));
}

/** Returns a duration in its two largest units: "45 s", "18 min", "1 h 30 min", "2 d 3 h". */
export function durationText(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  return hours % 24 === 0 ? `${hours / 24} d` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** Returns a time in the zone of the message; with the date if that is not the day of the message. */
export function timeOf({ at, timeZone }: Pick<MessageFacts, 'at' | 'timeZone'>, time: string): string {
  return new Clock(timeZone, Date.parse(at)).at(Date.parse(time));
}

function expiryOf(facts: MessageFacts, expiresAt: string): string {
  const days = Math.floor((Date.parse(expiresAt) - Date.parse(facts.at)) / 86_400_000);
  const when = new Clock(facts.timeZone, Date.parse(facts.at)).full(Date.parse(expiresAt));
  if (days < 0) return `expired on ${when}`;
  return `${days === 0 ? 'within a day' : `in ${days} day${days === 1 ? '' : 's'}`}, on ${when}`;
}

function name(text: string): string {
  return cut(oneLine(text), MAX_NAME) || '(no name)';
}

const MAX_LINK = 2_000;

/** Returns a link that no markup misreads, or null if it is not one to a page on the web. */
function linkTo(text: string | null): string | null {
  const url = text === null ? null : parseUrl(text);
  if (url === null) return null;
  const { protocol, origin, pathname, search, hash } = url;
  if (protocol !== 'http:' && protocol !== 'https:') return null;
  const encoded = (pathname + search + hash).replace(/["'()*<>[\\\]^`{|}]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  });
  return origin.length + encoded.length > MAX_LINK ? null : origin + encoded;
}
