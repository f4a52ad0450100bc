import { describe, expect, it } from '@jest/globals';
import { type CheckResult } from './check-queue.js';
import { asOwnFault, isTimeCredible } from './credible-time.js';

const SLOT = 1_800_000_000_000;
const result = (changes: Partial<CheckResult>): CheckResult =>
  ({ attempt: 0, scheduledAt: SLOT, checkedAt: SLOT, status: 'down', ...changes }) as CheckResult;

describe('isTimeCredible', () => {
  it.each([
    ['at its slot', {}, SLOT, true],
    ['long before it was received', {}, SLOT + 3_600_000, true],
    ['before its slot', { checkedAt: SLOT - 1 }, SLOT + 5, false],
    ['a retry before the slot that it retries', { attempt: 1, checkedAt: SLOT - 1 }, SLOT + 5, false],
    ['a requested check before the time of its request', { attempt: -7, checkedAt: SLOT - 400 }, SLOT, true],
    ['a second after it was received', { checkedAt: SLOT + 1_000 }, SLOT, true],
    ['later than that', { checkedAt: SLOT + 1_001 }, SLOT, false],
  ] as const)('a check %s', (_, changes, receivedAt, expected) => {
    expect(isTimeCredible(result(changes), receivedAt)).toBe(expected);
  });
});

describe('asOwnFault', () => {
  it.each([
    ['its slot', SLOT - 60_000, SLOT],
    ['the time of receipt', SLOT + 60_000, SLOT + 500],
  ])('is recorded as unknown at %s', (_, claimedAt, checkedAt) => {
    const recorded = asOwnFault(result({ checkedAt: claimedAt }), SLOT + 500);
    expect(recorded).toMatchObject({ checkedAt, status: 'unknown', outcome: { error: { code: 'checker_error' } } });
  });
});
