import { expect, it } from '@jest/globals';
import { counted } from './counted.js';

it('counts in the singular and the plural', () => {
  expect([0, 1, 2].map((count) => counted(count, 'alert'))).toEqual(['0 alerts', '1 alert', '2 alerts']);
  expect([counted('1', 'success'), counted('1,200', 'success')]).toEqual(['1 success', '1,200 successes']);
});
