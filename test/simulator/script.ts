import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/domain/durations.js';
import { type Quorum } from '../../src/domain/quorum.js';
import { type CheckPlan } from '../../src/modules/monitors/schedule/check-plan.types.js';
import { Dice } from '../fuzz/dice.js';
import { between } from './draws.js';
import { type Interval, subtract } from './intervals.js';
import { ownEvents } from './own-events.js';
import { type MonitorScript, type Phase } from './script.types.js';

const BEGINS_AT = Date.UTC(2026, 0, 1);
const QUORUMS: readonly Quorum[] = ['any', 'majority', 'all', 1, 2, 3];

/** Returns the script of one monitor, which depends only on the seed and the index. */
export function drawScript(seed: number, index: number, days: number): MonitorScript {
  const dice = new Dice(seed, index);
  const endsAt = BEGINS_AT + days * DAY_MS;
  const createdAt = BEGINS_AT + dice.below(6 * HOUR_MS);
  const plan = drawPlan(dice, index);
  // Nothing happens in the first hours, so that there is an initial state.
  const quiet = { from: createdAt + 12 * HOUR_MS, to: endsAt };
  // From targets that fail every few hours to calm ones.
  const meanGap = dice.pick([12 * HOUR_MS, 2 * DAY_MS, 5 * DAY_MS]);
  const shared = drawPhases(dice, quiet, meanGap, plan.intervalMs);
  const targets = plan.locations.map(() => {
    if (plan.locations.length === 1) return shared;
    const local = drawPhases(dice, quiet, meanGap, plan.intervalMs);
    return [...shared, ...outside(local, shared)].sort((a, b) => a.from - b.from);
  });
  return {
    seed,
    index,
    plan,
    quorum: dice.pick(QUORUMS),
    beginsAt: BEGINS_AT,
    createdAt,
    endsAt,
    targets,
    ...ownEvents(dice, quiet, plan),
    maintenance: drawMaintenance(dice, quiet),
    blinds: drawBlinds(dice, quiet, plan.locations.length),
  };
}

function drawPlan(dice: Dice, index: number): CheckPlan {
  const intervalMs = intervalOf((index * 37) % 100);
  const hex = (digits: number): string => dice.bits().toString(16).padStart(8, '0').slice(0, digits);
  const timeoutMs = Math.min(
    intervalMs,
    dice.pick([1 * SECOND_MS, 5 * SECOND_MS, 10 * SECOND_MS, 10 * SECOND_MS, 60 * SECOND_MS]),
  );
  return {
    monitorId: `${hex(8)}-${hex(4)}-7${hex(3)}-8${hex(3)}-${hex(8)}${hex(4)}`,
    teamId: 'team',
    revision: 1,
    type: 'http',
    definition: '{}',
    intervalMs,
    timeoutMs,
    degradedAfterMs: dice.chance(0.5) ? timeoutMs / 4 : null,
    failureThreshold: 1 + dice.below(5),
    recoveryThreshold: 1 + dice.below(5),
    retryIntervalMs: dice.chance(0.5) ? null : dice.pick([1, 5, 20, 60, 600]) * SECOND_MS,
    locations: index % 8 === 5 ? ['a', 'b', 'c'] : ['default'],
  };
}

/** 11% of the monitors are checked every minute or more often; they account for more than half of the checks. */
function intervalOf(percentile: number): number {
  if (percentile < 2) return 30 * SECOND_MS;
  if (percentile < 11) return MINUTE_MS;
  if (percentile < 55) return 5 * MINUTE_MS;
  return percentile < 80 ? 15 * MINUTE_MS : HOUR_MS;
}

function drawPhases(dice: Dice, { from, to }: Interval, meanGap: number, intervalMs: number): Phase[] {
  const phases: Phase[] = [];
  let at = from;
  const add = (kind: Phase['kind'], lengthMs: number, loss = 0): void => {
    phases.push({ from: at, to: at + lengthMs, kind, failsAtDeadline: dice.chance(0.4), loss });
    at += lengthMs;
  };
  for (;;) {
    at += between(dice, meanGap / 10, 2 * meanGap);
    if (at >= to) return phases.map((phase) => ({ ...phase, to: Math.min(phase.to, to) }));
    const kind = dice.weighted([
      [5, 'long'],
      [4, 'medium'],
      [8, 'short'],
      [2, 'flaps'],
      [3, 'slow'],
      [2, 'lossy'],
    ] as const);
    if (kind === 'long') add('down', between(dice, HOUR_MS, 12 * HOUR_MS));
    else if (kind === 'medium') add('down', between(dice, MINUTE_MS, HOUR_MS));
    else if (kind === 'short') add('down', between(dice, SECOND_MS, 2 * intervalMs));
    else if (kind === 'slow') add('slow', between(dice, MINUTE_MS, 6 * HOUR_MS));
    else if (kind === 'lossy') add('lossy', between(dice, MINUTE_MS, 12 * HOUR_MS), 0.05 + dice.below(26) / 100);
    else {
      for (const until = Math.min(at + HOUR_MS, to); at < until; at += between(dice, MINUTE_MS, 5 * MINUTE_MS)) {
        add('down', between(dice, MINUTE_MS, 5 * MINUTE_MS));
      }
    }
  }
}

function outside(local: readonly Phase[], shared: readonly Phase[]): Phase[] {
  return local.flatMap((phase) => subtract([phase], shared).map((piece) => ({ ...phase, ...piece })));
}

function drawMaintenance(dice: Dice, { from, to }: Interval): Interval[] {
  return Array.from({ length: dice.below(4) }, () => {
    const at = from + dice.below(to - from);
    return { from: at, to: Math.min(to, at + between(dice, 10 * MINUTE_MS, 8 * HOUR_MS)) };
  });
}

/** Draws when single locations have no network, if there are others. */
function drawBlinds(dice: Dice, { from, to }: Interval, locations: number): Interval[][] {
  const blinds = Array.from({ length: locations }, (): Interval[] => []);
  if (locations === 1) return blinds;
  const meanGap = dice.pick([6 * HOUR_MS, DAY_MS, 5 * DAY_MS]);
  for (let at = from; ;) {
    // By the time that the next one begins, the location is observed again.
    at += 3 * HOUR_MS + between(dice, MINUTE_MS, 2 * meanGap);
    const until = at + between(dice, 10 * MINUTE_MS, 12 * HOUR_MS);
    if (until + HOUR_MS > to) return blinds;
    dice.pick(blinds).push({ from: at, to: until });
    at = until;
  }
}
