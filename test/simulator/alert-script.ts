import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/domain/durations.js';
import { OWNERS_EMAIL } from '../../src/domain/notification-plan/facts.js';
import { type QuietHours, WEEKDAYS } from '../../src/domain/notification-plan/policy.js';
import { Dice } from '../fuzz/dice.js';
import { between } from './draws.js';
import { type Interval, union } from './intervals.js';
import { type MonitorScript } from './script.types.js';

/** The channels of the team. Policies name the first three; the last one only stands in for others. */
export const CHANNELS = ['a', 'b', 'c', 'spare'] as const;
/** Everywhere that messages can go: besides, to the email of the owners, if all else fails. */
export const RECEIVERS = [...CHANNELS, OWNERS_EMAIL] as const;
export type ChannelName = (typeof RECEIVERS)[number];

/** Who is notified of a monitor, and what keeps messages from leaving. Times are in slot time. */
export interface AlertScript {
  steps: { afterSeconds: number; channelIds: ChannelName[] }[];
  repeatEverySeconds: number | null;
  quietHours: QuietHours | null;
  silences: Interval[];
  /** When attempts on a channel fail. */
  failing: Record<ChannelName, Interval[]>;
  /** The share of alerts that somebody acknowledges, and for how many seconds; 0 for ever. */
  acknowledged: { share: number; seconds: number };
}

/** Returns the alerting of a monitor, which depends only on its script. */
export function drawAlerting({ seed, index, createdAt, endsAt, targets }: MonitorScript): AlertScript {
  const dice = new Dice(seed, -1_000 - index);
  const named: readonly ChannelName[] = ['a', 'b', 'c'];
  const some = (): ChannelName[] => [...new Set([dice.pick(named), dice.pick(named)])];
  const steps = [{ afterSeconds: 0, channelIds: some() }];
  while (steps.length < 3 && dice.chance(0.5)) {
    steps.push({ afterSeconds: steps.at(-1)!.afterSeconds + 60 * (1 + dice.below(30)), channelIds: some() });
  }
  const hour = dice.below(24);
  const spans = (count: number, shortest: number, longest: number): Interval[] => {
    const drawn = Array.from({ length: count }, () => {
      const from = createdAt + dice.below(endsAt - createdAt);
      return { from, to: from + between(dice, shortest, longest) };
    });
    return union(drawn);
  };
  // Somebody knows of an outage, and silences it for a while.
  const known = targets[0]!
    .filter(({ kind, from, to }) => kind === 'down' && to - from > HOUR_MS && dice.chance(0.3))
    .map(({ from }) => ({ from: from + 10 * MINUTE_MS, to: from + 20 * MINUTE_MS + dice.below(30 * MINUTE_MS) }));
  const days = Math.ceil((endsAt - createdAt) / DAY_MS);
  const failing = (): Interval[] => (dice.chance(0.5) ? [] : spans(dice.below(days), MINUTE_MS, 6 * HOUR_MS));
  return {
    steps,
    repeatEverySeconds: dice.chance(0.3) ? 60 * (5 + dice.below(60)) : null,
    quietHours: dice.chance(0.3)
      ? { timezone: 'UTC', days: WEEKDAYS, from: clock(hour), to: clock((hour + 8) % 24), except: [] }
      : null,
    silences: union([...spans(dice.below(4), 10 * MINUTE_MS, 2 * DAY_MS), ...known]),
    failing: { a: failing(), b: failing(), c: failing(), spare: failing(), [OWNERS_EMAIL]: [] },
    acknowledged: { share: dice.pick([0, 0.3, 0.8]), seconds: dice.pick([0, 900, 3_600]) },
  };
}

function clock(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}

/** Returns whether it is within the quiet hours, which are eight whole hours of every day, in UTC. */
export function isQuiet({ quietHours }: AlertScript, atMs: number): boolean {
  if (!quietHours) return false;
  const from = Number.parseInt(quietHours.from, 10);
  const hour = Math.floor((atMs % DAY_MS) / HOUR_MS);
  return (hour - from + 24) % 24 < 8;
}

export const RETRY_MS = 60 * SECOND_MS;
