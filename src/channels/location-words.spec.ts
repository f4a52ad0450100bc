import { describe, expect, it } from '@jest/globals';
import { locationSentence } from './location-words.js';
import { type MessageLocation } from './message.js';

const NAMES = ['Amsterdam', 'Frankfurt', 'Tokyo', 'Sydney', 'Lagos', 'Lima', 'Oslo'];

function at(...statuses: MessageLocation['status'][]): MessageLocation[] {
  return statuses.map((status, index) => ({ location: `l${index}`, name: NAMES[index]!, status }));
}

describe('the sentence about locations', () => {
  it.each<[string, MessageLocation[], string | null]>([
    ['is omitted without locations', [], null],
    ['is omitted if none is down', at('up', 'degraded', 'unknown'), null],
    ['names where the monitor is down', at('down', 'down', 'up'), 'Down at Amsterdam and Frankfurt; up at Tokyo.'],
    ['names only the down ones if all are', at('down', 'down', 'down'), 'Down at Amsterdam, Frankfurt and Tokyo.'],
    ['names slow ones', at('down', 'degraded', 'up'), 'Down at Amsterdam; slow at Frankfurt; up at Tokyo.'],
    [
      'names those without results',
      at('down', 'up', 'unknown'),
      'Down at Amsterdam; up at Frankfurt; no recent results from Tokyo.',
    ],
    ['says that only one has results', at('down', 'unknown'), 'Down at Amsterdam; seen from 1 of 2 locations.'],
    ['says which one that is', at('unknown', 'unknown', 'down'), 'Down at Tokyo; seen from 1 of 3 locations.'],
    [
      'names up to five',
      at('up', 'down', 'down', 'down', 'down', 'down'),
      'Down at Frankfurt, Tokyo, Sydney, Lagos and Lima; up at Amsterdam.',
    ],
    [
      'counts further ones',
      at('down', 'down', 'down', 'down', 'down', 'down', 'up'),
      'Down at Amsterdam, Frankfurt, Tokyo, Sydney and 2 more; up at Oslo.',
    ],
  ])('%s', (_, locations, sentence) => {
    expect(locationSentence(locations)).toBe(sentence);
  });
});
