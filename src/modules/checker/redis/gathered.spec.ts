import { describe, expect, it, jest } from '@jest/globals';
import { Gathered } from './gathered.js';

describe('Gathered', () => {
  it('sends together what arrives within its time', async () => {
    const send = jest.fn((_items: readonly number[]) => Promise.resolve());
    const gathered = new Gathered(send, 100, 5);
    await Promise.all([gathered.add([1, 2]), gathered.add([3])]);
    expect(send.mock.calls).toEqual([[[1, 2, 3]]]);
    await gathered.add([4]);
    expect(send.mock.calls).toHaveLength(2);
  });

  it('sends at once what is a batch', async () => {
    const send = jest.fn((_items: readonly number[]) => Promise.resolve());
    const gathered = new Gathered(send, 2, 3_600_000);
    await gathered.add([1, 2]);
    expect(send.mock.calls).toEqual([[[1, 2]]]);
  });

  it('sends at once what is urgent, with what was collected before', async () => {
    const send = jest.fn((_items: readonly number[]) => Promise.resolve());
    const gathered = new Gathered(send, 100, 3_600_000);
    await Promise.all([gathered.add([1]), gathered.add([2], true)]);
    expect(send.mock.calls).toEqual([[[1, 2]]]);
  });

  it('tells everyone whose items could not be sent, and sends the next ones', async () => {
    let isBroken = true;
    const gathered = new Gathered<number>(
      () => (isBroken ? Promise.reject(new Error('broken')) : Promise.resolve()),
      2,
      3_600_000,
    );
    const outcomes = await Promise.allSettled([gathered.add([1]), gathered.add([2])]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isBroken = false;
    await expect(gathered.add([3, 4])).resolves.toBeUndefined();
  });
});
