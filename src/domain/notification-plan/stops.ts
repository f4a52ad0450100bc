import { type ClosedSpan, coverage, type Span } from '../span.js';
import { type AlertFacts, type Hold } from './facts.js';
import { matches } from './matches.js';
import { type PolicyRule } from './policy.js';
import { quietUntil } from './quiet-hours.js';

/** Why a step waits. */
export type StopReason =
  | 'parent_down'
  | 'awaiting_parent'
  | 'maintenance'
  | 'paused'
  | 'silenced'
  | 'acknowledged'
  | 'flapping'
  | 'quiet_hours';

/** Maximum time that an alert waits for the results of its parents. */
export const PARENT_WAIT_MS = 60_000;
/** An outage this long after flapping ends an acknowledgement: the target no longer flaps, it is down. */
export const UNBROKEN_MS = 600_000;

/** The times at which steps wait, each with its reason. */
export class Stops {
  constructor(private readonly until: readonly [StopReason, (atMs: number) => number | null][]) {}

  /** Returns the first reason, in their order of precedence, to wait at a moment; `null` if there is none. */
  reasonAt(atMs: number): StopReason | null {
    return this.until.find(([, until]) => until(atMs) !== null)?.[0] ?? null;
  }

  /** Returns the first moment from `atMs` on at which nothing stops a step; `Infinity` if no end is known. */
  release(atMs: number): number {
    let at = atMs;
    while (at !== Infinity) {
      const later = Math.max(at, ...this.until.map(([, until]) => until(at) ?? at));
      if (later === at) break;
      at = later;
    }
    return at;
  }

  /** Returns when the first of the stops at a moment ends, after which the reason may be another; `Infinity` if none. */
  nextEnd(atMs: number): number {
    return Math.min(...this.until.map(([, until]) => until(atMs) ?? Infinity));
  }

  without(reason: StopReason): Stops {
    return new Stops(this.until.filter(([own]) => own !== reason));
  }
}

/** Returns when the steps of a policy wait; without a policy, when those of all policies do. */
export function stopsOf(alert: AlertFacts, policy: Pick<PolicyRule, 'quietHours'> | null): Stops {
  const { event, monitors, silences } = alert;
  const hours = policy?.quietHours ?? null;
  const quiet = hours && !hours.except.includes(event) ? quietUntil(hours) : () => null;
  const isFound = event === 'down' || event === 'degraded' || event === 'unknown';
  const silencesOf = monitors.map((one) => silences.filter(({ match }) => matches(match, one)));
  return new Stops([
    ['parent_down', within(heldBy(alert.parents.flatMap(({ down }) => down)))],
    ['awaiting_parent', within(parentWait(alert))],
    // Planned work explains what checks find; it does not explain what a person reports.
    ['maintenance', isFound ? within(common(monitors.map((one) => heldBy(one.maintenance)))) : () => null],
    // What was down before a pause may have recovered since.
    ['paused', within(common(monitors.map(({ resumed }) => (resumed ? heldBy([resumed]) : []))))],
    ['silenced', within(common(silencesOf))],
    ['acknowledged', within(acknowledged(alert))],
    ['flapping', within(alert.upSpans)],
    ['quiet_hours', quiet],
  ]);
}

/** Returns the spans in which an alert is acknowledged, merged. */
export function acknowledged({ acknowledgements, upSpans }: AlertFacts): ClosedSpan[] {
  const spans = acknowledgements.map(({ at, until }): Span => {
    const ups = [...upSpans].sort((a, b) => a.from - b.from);
    const unbroken = ups.find(({ to }, index) => {
      const next = ups[index + 1]?.from ?? Infinity;
      return to !== null && to >= at && next - to >= UNBROKEN_MS;
    });
    const ends = [until ?? Infinity, unbroken?.to == null ? Infinity : unbroken.to + UNBROKEN_MS];
    return { from: at, to: Math.min(...ends) };
  });
  return coverage(spans, -Infinity, Infinity);
}

function heldBy(holds: readonly Hold[]): Span[] {
  return holds.map(({ from, to, failsAgainAt }) => ({
    from,
    to: to === null || failsAgainAt === null ? null : Math.max(to, failsAgainAt),
  }));
}

function parentWait({ parents, recordedAt }: AlertFacts): Span[] {
  const answers = parents.map(({ answeredAt }) => answeredAt ?? Infinity);
  return [{ from: recordedAt, to: Math.min(recordedAt + PARENT_WAIT_MS, Math.max(recordedAt, ...answers)) }];
}

/** Returns the time that every list covers; none if there is no list. */
function common(lists: readonly (readonly Span[])[]): ClosedSpan[] {
  const [first, ...rest] = lists.map((spans) => coverage(spans, -Infinity, Infinity));
  return rest.reduce((found, spans) => found.flatMap(({ from, to }) => coverage(spans, from, to)), first ?? []);
}

function within(spans: readonly Span[]): (atMs: number) => number | null {
  const covered = coverage(spans, -Infinity, Infinity);
  return (atMs) => covered.find(({ from, to }) => from <= atMs && atMs < to)?.to ?? null;
}
