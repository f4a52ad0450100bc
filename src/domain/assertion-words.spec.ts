import { describe, expect, it } from '@jest/globals';
import { failureWords } from './assertion-words.js';
import { type Assertion } from './assertions.js';

const assertion = (source: Assertion['source'], more: Partial<Assertion>): Assertion => ({
  source,
  comparison: 'equals',
  ...more,
});

describe('failureWords', () => {
  it.each<[Assertion, string | number | null, string]>([
    [
      assertion('responseTimeMs', { comparison: 'lessThan', target: 250 }),
      812,
      'response time (ms) is less than 250 (was 812)',
    ],
    [assertion('statusCode', { target: 200 }), null, 'status code is 200'],
    [assertion('jsonBody', { property: '$.status', target: 'ok' }), 'secret', 'JSON body $.status is "ok"'],
    [assertion('header', { property: 'Server', comparison: 'exists' }), null, 'header Server exists'],
  ])('describes %j', (failed, actual, words) => {
    expect(failureWords(failed, actual)).toBe(words);
  });
});
