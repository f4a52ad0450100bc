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
  [{ checkedAt: NOW - 120_001 }, 'No check finishes.'],
  [{ recordedAt: NOW - 60_000 }, null],
  [{ recordedAt: NOW - 60_001 }, 'Results are not recorded.'],
  [{ lookedAt: NOW - 300_000 }, null],
  [{ lookedAt: NOW - 300_001 }, 'This process does not look for notifications.'],
  [{ oldestEventMs: 300_000 }, null],
  [{ oldestEventMs: 300_001 }, 'Notifications are not planned.'],
  [{ oldestNotificationMs: 300_000 }, null],
  [{ oldestNotificationMs: 300_001 }, 'Notifications are not sent.'],
])('%j: %s', (facts, standstill) => {
  expect(standstillOf({ ...WORKING, ...facts }, NOW)).toBe(standstill);
});
