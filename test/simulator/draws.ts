import { type Dice } from '../fuzz/dice.js';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** A length with as many short ones as long ones on a scale of powers; whole milliseconds. */
export function between(dice: Dice, shortest: number, longest: number): number {
  return Math.round(shortest * (longest / shortest) ** (dice.below(10_000) / 10_000));
}
