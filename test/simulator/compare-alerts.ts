import { MINUTE_MS, SECOND_MS } from '../../src/domain/durations.js';
import { closedAt } from '../../src/domain/notification-plan/facts.js';
import { type AlertHistory } from '../../src/modules/notifications/alert-history.js';
import { type AlertSide, type SentMessage } from './alert-side.js';
import { type AlertScript, RECEIVERS, type ChannelName, isQuiet, RETRY_MS } from './alert-script.js';
import { show } from './compare-runs.js';
import { intersect, type Interval, subtract, touches, union } from './intervals.js';
import { type Truth } from './oracle.js';
import { type Verdict } from './verdict.js';

/** The moments at which it is decided whether something holds a message back. */
const GRID_MS = SECOND_MS;
/** From the moment that a message may leave to its attempt: the next look at an open alert. */
const LATE_MS = MINUTE_MS + 5 * SECOND_MS;

/**
 * Compares the messages with the timetable: each outage that must be found reached the channels of the policy in time,
 * nothing was sent while it had to wait or to a channel that the policy does not name, and each channel that was sent an
 * alert was sent its end, once. What holds messages back is looked up second by second, not computed from spans.
 */
export function compareAlerts(side: AlertSide, truth: Truth, endsAt: number, verdict: Verdict): void {
  const alerts = side.alerts();
  verdict.counts.alerts += alerts.length;
  verdict.counts.messages += side.messages.length;
  const awaiting = awaitingFailure(side, truth);
  for (const alert of alerts) {
    const key = `${alert.subjectId}/${alert.episode}`;
    const own = side.messages.filter(({ alertKey }) => alertKey === key);
    compareAlert(alert, own, side, awaiting(alert), endsAt, verdict);
  }
  const covered = union(alerts.map(heardOf));
  for (const unheard of subtract(truth.mustBeDown, covered)) verdict.find('unheard', `no alert for ${show(unheard)}`);
}

/** Returns the time that an alert is about. One that a pause has ended is not about what follows. */
function heardOf(alert: AlertHistory): Interval {
  const { startedAt, resolvedAt } = alert.subject;
  const closed = closedAt(alert) ?? Infinity;
  const to = resolvedAt === null ? closed : Date.parse(resolvedAt);
  return { from: Date.parse(startedAt!), to: alert.end?.how === 'paused' ? Math.min(to, closed) : to };
}

/**
 * Returns when messages of an alert wait for a failing check: from the start of maintenance, and from the end of the pause
 * with which the alert began, until a check has failed and been recorded that began after maintenance or the pause.
 */
function awaitingFailure({ events, failures }: AlertSide, { own }: Truth): (alert: AlertHistory) => Interval[] {
  const until = (since: number): number => {
    const later = failures.filter(({ checkedAt }) => checkedAt >= since);
    return later.reduce((first, { recordedAt }) => Math.min(first, recordedAt), Infinity);
  };
  const maintenance = own.maintenance.map(({ from, to }) => ({ from, to: until(to) }));
  const resumedAt = new Set(events.flatMap(({ type, recordedAt }) => (type === 'monitor.resumed' ? recordedAt : [])));
  return ({ recordedAt: from }) => [...maintenance, ...(resumedAt.has(from) ? [{ from, to: until(from) }] : [])];
}

function compareAlert(
  alert: AlertHistory,
  messages: readonly SentMessage[],
  { alerting: script, skipped }: AlertSide,
  awaiting: readonly Interval[],
  endsAt: number,
  verdict: Verdict,
): void {
  const closed = closedAt(alert);
  const during: Interval = { from: alert.recordedAt, to: closed ?? endsAt };
  const name = `the alert of ${show(during)}`;
  const holds = new Holds(alert, script, awaiting, during, skipped);
  const failing = (channel: ChannelName): Interval[] => script.failing[channel];
  const isHealthy = RECEIVERS.every(
    (channel) => !touchesAny(failing(channel), { ...during, from: during.from - RETRY_MS }),
  );
  const opening = messages.filter(({ kind }) => kind === 'trigger' || kind === 'repeat');
  for (const { at, channel, step } of opening) {
    if (at > during.to) verdict.find('unfounded', `${name} was sent after its end`);
    if (holds.at(at)) verdict.find('unfounded', `${name} was sent at ${iso(at)}, while it had to wait`);
    const named = script.steps[step - 1];
    if (step > 0 && !named?.channelIds.includes(channel)) verdict.find('receiver', `${name} was sent to ${channel}`);
    if (step === 0 && isHealthy) verdict.find('receiver', `${name} was sent to ${channel}, although no channel failed`);
    // Failures make the next step due early.
    const dueAt = alert.recordedAt + (named?.afterSeconds ?? 0) * SECOND_MS;
    if (isHealthy && at < dueAt) verdict.find('unfounded', `${name} was sent to ${channel} before its step`);
  }
  let clock: number | null = alert.recordedAt;
  for (const [index, { afterSeconds, channelIds }] of script.steps.entries()) {
    // A step that had to wait delays those after it, which keep their distance to it.
    const distance = (afterSeconds - (script.steps[index - 1]?.afterSeconds ?? 0)) * SECOND_MS;
    clock = holds.released(clock + distance);
    if (clock === null) break;
    for (const channel of channelIds) {
      const free = holds.firstFree(clock, failing(channel));
      if (free === null) continue;
      const latest = latestFor(free, skipped);
      const isTold = opening.some((one) => one.channel === channel && one.isDelivered && one.at <= latest);
      if (!isTold) verdict.find('unheard', `${name} was not sent to ${channel} by ${iso(latest)}`);
    }
  }
  compareEnd(alert, messages, closed, { script, skipped, endsAt }, name, verdict);
}

/** Returns when a message that may leave at a moment must have been attempted. */
function latestFor(free: number, skipped: readonly Interval[]): number {
  const window = { from: free, to: free + LATE_MS };
  return Math.max(window.to, ...skipped.flatMap((one) => (touches(one, window) ? one.to + LATE_MS : [])));
}

function compareEnd(
  alert: AlertHistory,
  messages: readonly SentMessage[],
  closed: number | null,
  { script, skipped, endsAt }: { script: AlertScript; skipped: readonly Interval[]; endsAt: number },
  name: string,
  verdict: Verdict,
): void {
  // An alert that was resolved may still be retracted, when late results show that there was no outage.
  const expected = alert.retractedAt !== null && alert.retractedAt === closed ? 'correction' : 'resolve';
  for (const channel of RECEIVERS) {
    const own = messages.filter((one) => one.channel === channel);
    const wasTold = own.some(({ kind }) => kind === 'trigger' || kind === 'repeat');
    const ends = own.filter(({ kind }) => kind === 'resolve' || kind === 'correction');
    if (new Set(ends.map(({ key }) => key)).size > 2)
      verdict.find('end', `${name} ended more than twice on ${channel}`);
    if (ends.filter(({ isDelivered, kind }) => isDelivered && kind === 'resolve').length > 1) {
      verdict.find('end', `${name} was resolved twice on ${channel}`);
    }
    if (closed === null && ends.length > 0) verdict.find('end', `${name} ended on ${channel}, but it is open`);
    if (!wasTold && ends.some(({ replacesTrigger, kind }) => !replacesTrigger && kind === 'resolve')) {
      verdict.find('end', `${name} ended on ${channel}, which was not told of it`);
    }
    if (closed === null || !wasTold) continue;
    const window = { from: closed - RETRY_MS, to: latestFor(closed, skipped) };
    if (window.to >= endsAt || touchesAny(script.failing[channel], window)) continue;
    const isTold = ends.some(({ kind, at }) => kind === expected && at <= window.to);
    if (!isTold) verdict.find('end', `${channel} was not told the end of ${name}`);
  }
}

/** What holds the messages of an alert back, looked up at single moments. */
class Holds {
  private readonly acknowledged: Interval[];

  constructor(
    private readonly alert: AlertHistory,
    private readonly script: AlertScript,
    private readonly awaiting: readonly Interval[],
    private readonly during: Interval,
    private readonly skipped: readonly Interval[],
  ) {
    // Ten minutes of unbroken outage after flapping end an acknowledgement early.
    const isFlapping = alert.upSpans.length > 0;
    this.acknowledged = isFlapping
      ? []
      : alert.acknowledgements.map(({ at, until }) => ({ from: at, to: until ?? Infinity }));
  }

  at(atMs: number): boolean {
    const { alert, script, awaiting, acknowledged } = this;
    const spans = [...script.silences, ...awaiting, ...acknowledged];
    if (spans.some(({ from, to }) => from <= atMs && atMs < to)) return true;
    // What was sent in the millisecond that the monitor came up in was sent before it did.
    if (alert.upSpans.some(({ from, to }) => from < atMs && atMs < (to ?? Infinity))) return true;
    return isQuiet(script, atMs);
  }

  /** Returns the first moment from `from` on at which nothing holds a message back; null if there is none. */
  released(from: number): number | null {
    for (let at = from; at < this.during.to; at += GRID_MS) if (!this.at(at)) return at;
    return null;
  }

  /**
   * Returns the first moment from which nothing holds a message back, and its channel works, for as long as sending may
   * take; null if there is none, or it cannot be told.
   */
  firstFree(from: number, failing: readonly Interval[]): number | null {
    const { alert, during } = this;
    // Acknowledgements of flapping monitors end early.
    if (alert.upSpans.length > 0) return null;
    for (let at = from; at + LATE_MS < during.to;) {
      const window = { from: at - RETRY_MS, to: at + LATE_MS };
      const outage = failing.find((one) => touches(one, window));
      const skip = this.skipped.find(({ from: begin, to }) => begin <= at && at < to);
      const later = skip?.to ?? Math.max(outage ? outage.to + RETRY_MS : at, this.heldWithin(at) ?? at);
      if (later === at) return at;
      at = later;
    }
    return null;
  }

  /** Returns the end of the last hold within the time that sending may take; null if there is none. */
  private heldWithin(at: number): number | null {
    for (let moment = at + LATE_MS; moment >= at; moment -= GRID_MS) if (this.at(moment)) return moment + GRID_MS;
    return null;
  }
}

function touchesAny(spans: readonly Interval[], within: Interval): boolean {
  return intersect(union([...spans]), [within]).length > 0;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
