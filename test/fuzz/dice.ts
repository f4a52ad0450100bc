import fc from 'fast-check';

/** Random draws that depend only on a seed and a number, and thus are the same in every run and on every machine. */
export class Dice {
  private state: number;

  constructor(seed: number, number: number) {
    this.state = scramble(scramble(seed) ^ scramble(number + 0x51ed270b));
  }

  /** Draws an unsigned 32-bit integer. */
  bits(): number {
    this.state = (this.state + 0x9e3779b9) | 0;
    return scramble(this.state) >>> 0;
  }

  /** Draws an integer from 0 to below `limit`. */
  below(limit: number): number {
    return Math.floor((this.bits() / 2 ** 32) * limit);
  }

  chance(probability: number): boolean {
    return this.bits() / 2 ** 32 < probability;
  }

  pick<T>(choices: readonly T[]): T {
    if (choices.length === 0) throw new Error('There is nothing to choose from');
    return choices[this.below(choices.length)]!;
  }

  /** Draws one of the choices, with a probability in proportion to its weight. */
  weighted<T>(choices: readonly (readonly [weight: number, choice: T])[]): T {
    const whole = choices.reduce((sum, [weight]) => sum + weight, 0);
    let left = (this.bits() / 2 ** 32) * whole;
    const found = choices.find(([weight]) => (left -= weight) < 0) ?? choices.at(-1);
    return found![1];
  }

  /** Draws each of the choices with this probability, in their order. */
  some<T>(choices: readonly T[], probability: number): T[] {
    return choices.filter(() => this.chance(probability));
  }

  /** Draws a value of a fast-check arbitrary, with its bias towards edge cases. */
  of<T>(arbitrary: fc.Arbitrary<T>): T {
    return fc.sample(arbitrary, { seed: this.bits() | 0, numRuns: 1 })[0]!;
  }
}

/** Mixes 32 bits so that the results of consecutive numbers are unrelated (the finaliser of MurmurHash3). */
function scramble(bits: number): number {
  let mixed = bits | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
