import { describe, expect, it } from '@jest/globals';
import { checkAtWork, makePulse, Pulse, Silence } from './pulse.js';

describe('Silence', () => {
  /** Looks as often as there are entries, each with the beats so far and the time since the look before. */
  function judged(looks: readonly [beats: number, afterMs: number][]): boolean[] {
    const silence = new Silence(0);
    let now = 0;
    return looks.map(([beats, afterMs]) => silence.isTooLong(beats, (now += afterMs)));
  }
  const looks = (count: number, beats: number, afterMs = 250) =>
    Array.from({ length: count }, (): [number, number] => [beats, afterMs]);

  it('is too long after 2 s without a beat', () => {
    expect(judged(looks(9, 1))).toEqual([...Array<boolean>(8).fill(false), true]);
  });

  it('ends with each beat', () => {
    expect(judged([...looks(8, 1), ...looks(8, 2), ...looks(8, 3)])).not.toContain(true);
    expect(judged([...looks(8, 1), ...looks(9, 2)]).indexOf(true)).toBe(16);
  });

  it('does not begin before the first beat, because a thread takes time to start', () => {
    expect(judged(looks(100, 0))).not.toContain(true);
  });

  it('counts only while the watching thread is on time', () => {
    // The watching thread was blocked too, once or again and again.
    expect(
      judged([
        [1, 250],
        [1, 60_000],
      ]),
    ).toEqual([false, false]);
    expect(judged([[1, 250], ...looks(50, 1, 451)])).not.toContain(true);
    expect(judged([...looks(8, 1), [1, 451], ...looks(7, 1)])).not.toContain(true);
    // It counts again from the look that was late.
    expect(judged([...looks(8, 1), [1, 451], ...looks(8, 1)]).indexOf(true)).toBe(16);
  });

  it('counts looks that are up to 200 ms late, because timers are never exact', () => {
    expect(judged([[1, 250], ...looks(5, 1, 450)])).toEqual([false, false, false, false, false, true]);
  });
});

describe('a pulse', () => {
  it('contains the number of the check at work only while it works', () => {
    const cells = makePulse();
    const pulse = new Pulse(cells);
    expect(checkAtWork(cells)).toBe(0);
    expect(pulse.during(7, () => checkAtWork(cells))).toBe(7);
    expect(checkAtWork(cells)).toBe(0);
    const failing = (): never => {
      throw new Error('bug');
    };
    expect(() => pulse.during(8, failing)).toThrow('bug');
    expect(checkAtWork(cells)).toBe(0);
  });
});
