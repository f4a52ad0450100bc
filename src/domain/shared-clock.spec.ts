import { describe, expect, it } from '@jest/globals';
import { corrected, readAt } from './shared-clock.js';

const believed = { nowMs: 10_000, monotonicMs: 100 };

describe('corrected', () => {
  it('takes the first answer to come from the middle of its time', () => {
    expect(corrected(null, { nowMs: 5_000, sentAt: 10, receivedAt: 30 })).toEqual({ nowMs: 5_010, monotonicMs: 30 });
  });

  it.each([
    ['keeps what an answer does not contradict', 10_995, 11_000],
    ['keeps what a slow answer may mean', 10_100, 11_000],
    ['follows a clock that is ahead of what was believed', 11_500, 11_500],
    ['follows a clock that is behind, even after the longest way of the answer', 9_000, 9_900],
  ])('%s', (_, answeredMs, nowMs) => {
    // Asked at the monotonic time 200 and answered at 1,100, when the clock was believed to show 11,000.
    const answer = { nowMs: answeredMs, sentAt: 200, receivedAt: 1_100 };
    expect(corrected(believed, answer)).toEqual({ nowMs, monotonicMs: 1_100 });
  });
});

describe('readAt', () => {
  it('adds the time since the reading', () => {
    expect(readAt(believed, 350)).toBe(10_250);
  });
});
