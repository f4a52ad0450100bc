import { describe, expect, it } from '@jest/globals';
import { readReport, type WorkerReport } from './worker-report.js';

const REPORT: WorkerReport = {
  id: '0198c9a4-7d5e-7cc3-9b1f-3f6a2e8d1c80',
  version: '0.1.0',
  startedAt: Date.UTC(2026, 0, 2),
  lastSeenAt: Date.UTC(2026, 0, 3),
  busyPercent: 12.5,
  checksPerSecond: 0,
  lagMs: 3,
};

describe('readReport', () => {
  it('reads what a worker has written', () => {
    expect(readReport(JSON.stringify(REPORT))).toEqual(REPORT);
  });

  it.each([
    ['no JSON', 'x'],
    ['empty', ''],
    ['null', 'null'],
    ['a number', '1'],
    ['a list', '[]'],
    ['an empty object', '{}'],
    ['without an id', { id: undefined }],
    ['with another id', { id: 'x' }],
    ['with a version that is no text', { version: 1 }],
    ['with a start that is no time', { startedAt: 'x' }],
    ['with a start that no date can represent', { startedAt: 1e16 }],
    ['without a time', { lastSeenAt: undefined }],
    ['with a load that is no number', { busyPercent: '12' }],
    ['with an unknown rate', { checksPerSecond: null }],
    ['with a delay that is no number', { lagMs: {} }],
  ])('returns null for a report that is %s', (_, report) => {
    const text = typeof report === 'string' ? report : JSON.stringify({ ...REPORT, ...report });
    expect(readReport(text)).toBeNull();
  });
});
