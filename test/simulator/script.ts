import { type Quorum } from '../../src/domain/quorum.js';
import { type CheckPlan } from '../../src/modules/monitors/schedule/check-plan.types.js';
import { Dice } from '../fuzz/dice.js';
import { between, DAY, HOUR, MINUTE, SECOND } from './draws.js';
import { type Interval, subtract } from './intervals.js';
import { ownEvents } from './own-events.js';
import { type MonitorScript, type Phase } from './script.types.js';

const BEGINS_AT = Date.UTC(2026, 0, 1);
const QUORUMS: readonly Quorum[] = ['any', 'majority', 'all', 1, 2, 3];

/** Returns the script of one monitor, which depends only on the seed and the index. */
export function drawScript(seed: number, index: number, days: number): MonitorScript {
  const dice = new Dice(seed, index);
  const endsAt = BEGINS_AT + days * DAY;
  const createdAt = BEGINS_AT + dice.below(6 * HOUR);
  const plan = drawPlan(dice, index);
  // Nothing happens in the first hours, so that there is an initial state.
  const quiet = { from: createdAt + 12 * HOUR, to: endsAt };
  // From targets that fail every few hours to calm ones.
  const meanGap = dice.pick([12 * HOUR, 2 * DAY, 5 * DAY]);
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
  const timeoutMs = Math.min(intervalMs, dice.pick([1 * SECOND, 5 * SECOND, 10 * SECOND, 10 * SECOND, 60 * SECOND]));
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
    retryIntervalMs: dice.chance(0.5) ? null : dice.pick([1, 5, 20, 60, 600]) * SECOND,
    locations: index % 8 === 5 ? ['a', 'b', 'c'] : ['default'],
  };
}

/** 11% of the monitors are checked every minute or more often; they account for more than half of the checks. */
function intervalOf(percentile: number): number {
  if (percentile < 2) return 30 * SECOND;
  if (percentile < 11) return MINUTE;
  if (percentile < 55) return 5 * MINUTE;
  return percentile < 80 ? 15 * MINUTE : HOUR;
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
    if (kind === 'long') add('down', between(dice, HOUR, 12 * HOUR));
    else if (kind === 'medium') add('down', between(dice, MINUTE, HOUR));
    else if (kind === 'short') add('down', between(dice, SECOND, 2 * intervalMs));
    else if (kind === 'slow') add('slow', between(dice, MINUTE, 6 * HOUR));
    else if (kind === 'lossy') add('lossy', between(dice, MINUTE, 12 * HOUR), 0.05 + dice.below(26) / 100);
    else {
      for (const until = Math.min(at + HOUR, to); at < until; at += between(dice, MINUTE, 5 * MINUTE)) {
        add('down', between(dice, MINUTE, 5 * MINUTE));
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
    return { from: at, to: Math.min(to, at + between(dice, 10 * MINUTE, 8 * HOUR)) };
  });
}

/** Draws when single locations have no network, if there are others. */
function drawBlinds(dice: Dice, { from, to }: Interval, locations: number): Interval[][] {
  const blinds = Array.from({ length: locations }, (): Interval[] => []);
  if (locations === 1) return blinds;
  const meanGap = dice.pick([6 * HOUR, DAY, 5 * DAY]);
  for (let at = from; ;) {
    // By the time that the next one begins, the location is observed again.
    at += 3 * HOUR + between(dice, MINUTE, 2 * meanGap);
    const until = at + between(dice, 10 * MINUTE, 12 * HOUR);
    if (until + HOUR > to) return blinds;
    dice.pick(blinds).push({ from: at, to: until });
    at = until;
  }
}
