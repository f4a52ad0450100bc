import { type Dice } from '../fuzz/dice.js';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Draws a duration in whole milliseconds, uniformly on a logarithmic scale. */
export function between(dice: Dice, shortest: number, longest: number): number {
  return Math.round(shortest * (longest / shortest) ** (dice.below(10_000) / 10_000));
}
