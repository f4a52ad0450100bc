import { describe, expect, it, jest } from '@jest/globals';
import { Deadline } from './deadline.js';

describe('Deadline', () => {
  it('calls listeners once, and only those that are still attached', () => {
    const deadline = new Deadline();
    const [gone, leaving, last] = [jest.fn(), jest.fn(() => deadline.off(leaving)), jest.fn(() => deadline.isOver)];
    for (const listener of [gone, leaving, last]) deadline.on(listener);
    deadline.off(gone);
    expect(deadline.isOver).toBe(false);
    deadline.end();
    deadline.end();
    expect(gone).not.toHaveBeenCalled();
    expect(leaving).toHaveBeenCalledTimes(1);
    expect(last.mock.results).toEqual([{ type: 'return', value: true }]);
  });
});
