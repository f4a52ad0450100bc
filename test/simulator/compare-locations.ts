import { type Transition } from '../../src/domain/monitor-state.js';
import { show } from './compare-runs.js';
import { type Evidence } from './evidence.js';
import { type Interval, touches } from './intervals.js';
import { type LocationTruth, type TrueOutage, type Truth } from './oracle.js';
import { type MonitorScript } from './script.types.js';
import { type Verdict } from './verdict.js';

/**
 * Compares the transitions of one location with its target: the edges of outages, the time to confirm them, and the
 * checks that confirmed them.
 */
export function compareLocation(
  script: MonitorScript,
  truth: Truth,
  index: number,
  seen: { transitions: readonly Transition[]; evidence: Evidence },
  verdict: Verdict,
): void {
  const location = truth.locations[index]!;
  location.outages.forEach((outage, i) => {
    const previousEnd = location.outages[i - 1]?.to ?? -Infinity;
    const nextStart = location.outages[i + 1]?.from ?? Infinity;
    if (isPlain(outage, previousEnd, nextStart, location)) {
      compareEdges(outage, location, seen, verdict);
    }
  });
  for (const transition of seen.transitions) judgeEvidence(script, location, seen.evidence, transition, verdict);
}

/** Returns whether nothing but the outage itself affects when it is detected. */
function isPlain(outage: TrueOutage, previousEnd: number, nextStart: number, { lossy, own }: LocationTruth): boolean {
  const before = own.recoveredWithin(outage.from);
  const after = own.recoveredWithin(outage.to);
  const around: Interval = { from: outage.from - before, to: outage.to + after };
  return (
    outage.to - outage.from >= own.confirmedWithin(outage.from) &&
    previousEnd <= around.from &&
    nextStart >= around.to &&
    ![...own.disturbances, ...lossy].some((one) => touches(one, around))
  );
}

function compareEdges(
  outage: TrueOutage,
  { own }: LocationTruth,
  { transitions, evidence }: { transitions: readonly Transition[]; evidence: Evidence },
  verdict: Verdict,
): void {
  const startBound = own.edgeAt(outage.from);
  const endBound = own.edgeAt(outage.to);
  const start = transitions.find(
    ({ at, to }) => to === 'down' && at >= outage.from - own.probeMs && at <= outage.from + startBound,
  );
  if (!start) {
    verdict.find('edge', `no start within ${startBound} ms of the outage ${show(outage)}`);
    return;
  }
  const end = transitions.find(
    ({ at, from }) => from === 'down' && at > start.at && at >= outage.to && at <= outage.to + endBound,
  );
  if (!end) verdict.find('edge', `no end within ${endBound} ms of the outage ${show(outage)}`);

  const confirmedAfter = (evidence.endOf(start.confirmedAt) ?? Infinity) - outage.from;
  const bound = own.confirmedWithin(outage.from);
  if (!(confirmedAfter <= bound)) {
    verdict.find('confirmation', `took ${confirmedAfter} ms, bound ${bound} ms, for the outage ${show(outage)}`);
  }
  const { startErrors, endErrors, confirmations } = verdict.measures;
  startErrors.push((start.at - outage.from) / own.intervalAt(outage.from));
  if (end) endErrors.push((end.at - outage.to) / own.intervalAt(outage.to));
  confirmations.push(confirmedAfter / bound);
}

/** Requires that each transition rests on as many consecutive checks of its kind as the threshold. */
function judgeEvidence(
  { plan }: MonitorScript,
  { mayBeDown }: LocationTruth,
  evidence: Evidence,
  { at, confirmedAt, from, to }: Transition,
  verdict: Verdict,
): void {
  const { passed, failed } = evidence.count(at, confirmedAt);
  const text = `${from} → ${to} at ${new Date(at).toISOString()}: ${failed} failed, ${passed} passed`;
  if (to === 'down') {
    const confirmed = passed === 0 && failed >= plan.failureThreshold;
    if (!confirmed) verdict.find('evidence', text);
    else if (!mayBeDown.firm.some((one) => one.from <= at && at <= one.to)) verdict.counts.lossConfirmed += 1;
  } else if (from === 'down' && (failed > 0 || passed < plan.recoveryThreshold)) {
    verdict.find('evidence', text);
  }
}
