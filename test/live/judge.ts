import { type IncidentDto } from '../../src/modules/incidents/dto/incident.dto.js';
import { type TransitionDto } from '../../src/modules/monitors/dto/transition.dto.js';
import { type Played } from './actor.js';

/** The parameters of the bounds, in milliseconds. */
export interface Bounds {
  intervalMs: number;
  retryMs: number;
  timeoutMs: number;
  /** Allowance for ticks, batches and commits, and for a busy machine. */
  graceMs: number;
}

export interface Observed {
  /** Oldest first. */
  transitions: readonly TransitionDto[];
  incidents: readonly IncidentDto[];
  downSeconds: number;
}

/** Time in which the service could not observe targets, because its network or the service itself was down. */
export interface Blind {
  from: number;
  to: number;
}

export interface Finding {
  monitor: number;
  what: string;
}

export interface Judgement {
  findings: Finding[];
  outages: number;
  detected: number;
  /** Outages that were too short to be confirmed, or in blind time. */
  excused: number;
  falseDown: number;
  lossConfirmed: number;
  startErrorsMs: number[];
  endErrorsMs: number[];
  /** From the start of the outage to the start of the check that confirmed it. */
  confirmationMs: number[];
  /** From the start of the outage to the creation of the incident, while the database was available. */
  incidentMs: number[];
}

interface Stretch {
  from: number;
  to: number;
}

/** Returns the maximum time to confirm a failure: until the next slot, plus a retry after that check timed out. */
export function confirmationBound({ intervalMs, retryMs, timeoutMs, graceMs }: Bounds): number {
  return intervalMs + timeoutMs + retryMs + graceMs;
}

/** Compares the observations of one monitor with the true states of its target. */
export function judge(
  monitor: number,
  played: readonly Played[],
  observed: Observed,
  blind: readonly Blind[],
  late: readonly Blind[],
  bounds: Bounds,
  judgement: Judgement,
): void {
  const find = (what: string): void => void judgement.findings.push({ monitor, what });
  const edge = bounds.intervalMs + bounds.timeoutMs + bounds.graceMs;
  const isBlind = (from: number, to: number): boolean => blind.some((one) => one.from < to && from < one.to);
  const runs = downRuns(observed.transitions);
  const outages = played.filter(({ mode }) => mode === 'down');
  const lossy = played.filter(({ mode }) => mode === 'lossy');

  for (const outage of outages) {
    judgement.outages += 1;
    const run = runs.find((one) => overlaps(one, outage));
    const mustBeSeen = outage.to - outage.from > confirmationBound(bounds) && !isBlind(outage.from, outage.to + edge);
    if (!run) {
      if (mustBeSeen) find(`an outage of ${outage.to - outage.from} ms was missed`);
      else judgement.excused += 1;
      continue;
    }
    judgement.detected += 1;
    // A run may have started in an earlier outage if no check passed in the time between.
    const isFirst = !outages.some((other) => other !== outage && other.from < outage.from && overlaps(run, other));
    const isLast = !outages.some((other) => other !== outage && other.from > outage.from && overlaps(run, other));
    const startError = run.from - outage.from;
    if (isFirst && !isBlind(outage.from - edge, run.confirmedAt) && !lossy.some((one) => overlaps(run, one))) {
      judgement.startErrorsMs.push(startError);
      if (startError < -bounds.graceMs || startError > edge) find(`the start is off by ${startError} ms`);
      const confirmation = run.confirmedAt - outage.from;
      judgement.confirmationMs.push(confirmation);
      if (confirmation > confirmationBound(bounds)) find(`confirmed after ${confirmation} ms`);
      const incident = observed.incidents.find((one) => Date.parse(one.startedAt) === run.from);
      const isLate = late.some((one) => one.from < run.confirmedAt + edge && run.from < one.to);
      if (incident && !isLate) judgement.incidentMs.push(Date.parse(incident.createdAt) - outage.from);
    }
    const endError = run.to - outage.to;
    if (isLast && !isBlind(outage.to - edge, outage.to + edge) && !lossy.some((one) => overlaps(run, one))) {
      judgement.endErrorsMs.push(endError);
      // The check that passed may have started while the target was still down, and got a response in time.
      if (endError < -bounds.timeoutMs || endError > edge) find(`the end is off by ${endError} ms`);
    }
  }
  for (const run of runs) {
    if (outages.some((one) => overlaps(run, one))) continue;
    if (lossy.some((one) => overlaps(run, one))) judgement.lossConfirmed += 1;
    else {
      judgement.falseDown += 1;
      find(`down from ${run.from} to ${run.to}, while the target was up`);
    }
  }
  compareIncidents(runs, observed.incidents, find);
  compareSeconds(runs, observed.downSeconds, outages, isBlind, edge, find);
}

/** Requires that every run of `down` is counted in exactly one incident, and that each incident starts with a run. */
function compareIncidents(
  runs: readonly Stretch[],
  incidents: readonly IncidentDto[],
  find: (what: string) => void,
): void {
  const told = incidents.reduce((sum, { outageCount }) => sum + outageCount, 0);
  if (told !== runs.length) find(`${incidents.length} incidents count ${told} outages instead of ${runs.length}`);
  for (const { startedAt } of incidents) {
    if (!runs.some(({ from }) => from === Date.parse(startedAt)))
      find(`an incident started at ${startedAt}, but no outage did`);
  }
}

/** Compares the down time: a detected outage may deviate by an edge at each end, an undetected one by all of it. */
function compareSeconds(
  runs: readonly Stretch[],
  downSeconds: number,
  outages: readonly Stretch[],
  isBlind: (from: number, to: number) => boolean,
  edge: number,
  find: (what: string) => void,
): void {
  const trueMs = outages.reduce((sum, { from, to }) => sum + to - from, 0);
  const touched = outages.some(({ from, to }) => isBlind(from - edge, to + edge));
  const unseenMs = outages
    .filter((one) => !runs.some((run) => overlaps(run, one)))
    .reduce((sum, { from, to }) => sum + to - from, 0);
  const errorMs = Math.abs(downSeconds * 1_000 - trueMs);
  const bound = 2 * edge * Math.max(runs.length, outages.length) + unseenMs;
  if (!touched && errorMs > bound) find(`reported down for ${downSeconds} s, actually ${trueMs / 1_000} s`);
}

export function downRuns(transitions: readonly TransitionDto[]): (Stretch & { confirmedAt: number })[] {
  const runs: (Stretch & { confirmedAt: number })[] = [];
  for (const { at, confirmedAt, from, to } of transitions) {
    if (to === 'down') runs.push({ from: Date.parse(at), to: Infinity, confirmedAt: Date.parse(confirmedAt) });
    else if (from === 'down') runs.at(-1)!.to = Date.parse(at);
  }
  return runs;
}

function overlaps(a: Stretch, b: Stretch): boolean {
  return a.from < b.to && b.from < a.to;
}
