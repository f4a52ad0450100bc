import { expect, it } from '@jest/globals';
import { standstillOf, type WorkFacts } from './standstill.js';

const NOW = 1_000_000;
const WORKING: WorkFacts = {
  checkedAt: NOW,
  recordedAt: NOW,
  lookedAt: NOW,
  oldestEventMs: 0,
  oldestNotificationMs: 0,
};

it.each<[Partial<WorkFacts>, string | null]>([
  [{}, null],
  [{ checkedAt: NOW - 120_000 }, null],
  [{ checkedAt: NOW - 120_001 }, 'No check has finished for 2 minutes.'],
  [{ recordedAt: NOW - 60_000 }, null],
  [{ recordedAt: NOW - 60_001 }, 'No result has been recorded for a minute.'],
  [{ lookedAt: NOW - 300_000 }, null],
  [{ lookedAt: NOW - 300_001 }, 'This process has not looked for due notifications for 5 minutes.'],
  [{ oldestEventMs: 300_000 }, null],
  [{ oldestEventMs: 300_001 }, 'The notifications of an event have not been planned for 5 minutes.'],
  [{ oldestNotificationMs: 300_000 }, null],
  [{ oldestNotificationMs: 300_001 }, 'A notification has been due for 5 minutes.'],
])('%j: %s', (facts, standstill) => {
  expect(standstillOf({ ...WORKING, ...facts }, NOW)).toBe(standstill);
});
