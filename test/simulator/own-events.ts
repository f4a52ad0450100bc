import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/domain/durations.js';
import { type CheckPlan } from '../../src/modules/monitors/schedule/check-plan.types.js';
import { type Dice } from '../fuzz/dice.js';
import { between } from './draws.js';
import { type Interval } from './intervals.js';
import { type ClockStep, type OwnEvent } from './script.types.js';

/** After the wall clock was set back by an hour, the slot clock needs ten hours until it agrees with it. */
const CATCH_UP = 10 * HOUR_MS;

/** Draws consecutive events of the service's side within a period. */
export function ownEvents(
  dice: Dice,
  { from, to }: Interval,
  plan: CheckPlan,
): { own: OwnEvent[]; clockSteps: ClockStep[] } {
  const own: OwnEvent[] = [];
  const clockSteps: ClockStep[] = [];
  const meanGap = dice.pick([DAY_MS, 4 * DAY_MS, 20 * DAY_MS]);
  for (let at = from; ;) {
    at += between(dice, MINUTE_MS, 2 * meanGap);
    const event = drawEvent(dice, at, plan);
    if (event.to + HOUR_MS > to) return { own, clockSteps };
    own.push(event);
    if (event.kind === 'clock') {
      const stepMs = dice.chance(0.5) ? HOUR_MS : -HOUR_MS;
      clockSteps.push({ at, offsetMs: stepMs }, { at: event.to - (stepMs > 0 ? CATCH_UP : 0), offsetMs: 0 });
    }
    at = event.to;
  }
}

function drawEvent(dice: Dice, from: number, plan: CheckPlan): OwnEvent {
  const lasting = (shortest: number, longest: number): Interval => ({
    from,
    to: from + between(dice, shortest, longest),
  });
  const kind = dice.weighted([
    [5, 'stopped'],
    [3, 'network'],
    [4, 'database'],
    [2, 'slowRunner'],
    [2, 'handOver'],
    [2, 'pause'],
    [1, 'interval'],
    [1, 'clock'],
  ] as const);
  switch (kind) {
    case 'stopped': {
      const how = dice.pick(['killed', 'ended', 'suspended'] as const);
      return { ...lasting(20 * SECOND_MS, 6 * HOUR_MS), kind, how };
    }
    case 'network':
      return { ...lasting(2 * MINUTE_MS, 3 * HOUR_MS), kind };
    case 'database':
      return { ...lasting(MINUTE_MS, 12 * HOUR_MS), kind };
    case 'slowRunner':
      return { ...lasting(10 * MINUTE_MS, 3 * HOUR_MS), kind, lagMs: between(dice, SECOND_MS, 8 * SECOND_MS) };
    case 'handOver':
      return { ...lasting(SECOND_MS, 20 * SECOND_MS), kind };
    case 'pause':
      return { ...lasting(5 * MINUTE_MS, 2 * DAY_MS), kind };
    case 'interval': {
      // Only slower intervals, because the number of checks must not grow.
      const intervalMs = dice.pick(
        [30 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS].filter((ms) => ms >= plan.intervalMs),
      );
      return { from, to: from, kind, intervalMs };
    }
    case 'clock':
      return { from, to: from + between(dice, 10 * MINUTE_MS, 5 * HOUR_MS) + CATCH_UP, kind };
  }
}
