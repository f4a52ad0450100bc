import { expect, it } from '@jest/globals';
import { queuesPlace } from './queues-place.js';

it.each([
  ['redis://127.0.0.1:6379', '0 daywatch'],
  ['redis://127.0.0.1:6379/', '0 daywatch'],
  ['redis://127.0.0.1:6379/0', '0 daywatch'],
  ['rediss://me:secret@redis.example/12', '12 daywatch'],
])('the queues in %s are at %s', (url, place) => {
  expect(queuesPlace(url, 'daywatch')).toBe(place);
});
