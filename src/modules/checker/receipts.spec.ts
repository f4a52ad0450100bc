import { describe, expect, it } from '@jest/globals';
import { type CheckResult } from './check-queue.js';
import { Receipts } from './receipts.js';

const some = (count: number): CheckResult[] => Array.from({ length: count }, () => ({}) as CheckResult);

/** Returns how a promise stands once all that is due has happened. */
async function stateOf(promise: Promise<void>): Promise<string> {
  return Promise.race([
    promise.then(
      () => 'stored',
      (error: Error) => error.message,
    ),
    new Promise<string>((resolve) => setImmediate(() => resolve('open'))),
  ]);
}

describe('Receipts', () => {
  it('resolve once all results of one delivery are stored, in whatever parts', async () => {
    const receipts = new Receipts();
    const [first, second] = [some(2), some(1)];
    const [one, other] = [receipts.issue(first), receipts.issue(second)];
    receipts.settle([first[0]!, second[0]!]);
    expect([await stateOf(one), await stateOf(other)]).toEqual(['open', 'stored']);
    receipts.settle([first[1]!]);
    expect(await stateOf(one)).toBe('stored');
  });

  it('reject if one result is not stored', async () => {
    const receipts = new Receipts();
    const results = some(2);
    const stored = receipts.issue(results);
    receipts.refuse([results[0]!], new Error('lost'));
    receipts.settle([results[1]!]);
    expect(await stateOf(stored)).toBe('lost');
  });

  it('reject all that are open at the end', async () => {
    const receipts = new Receipts();
    const deliveries = [receipts.issue(some(1)), receipts.issue(some(3)), receipts.issue([])];
    receipts.refuseAll(new Error('stopped'));
    expect(await Promise.all(deliveries.map(stateOf))).toEqual(['stopped', 'stopped', 'stored']);
  });

  it('ignore results that nobody waits for', () => {
    expect(() => new Receipts().settle(some(1))).not.toThrow();
  });
});
