import { describe, expect, it } from '@jest/globals';
import { type LoggedEvent } from './alert-history.js';
import { alertOfUnobserved, isLocationLoss, isNetworkLoss, type UnobservedMonitors } from './unobserved-alert.js';

const START = Date.UTC(2026, 10, 24, 12);
const opening: LoggedEvent = {
  ...{ id: 'event', type: 'monitor.unknown', recordedAt: START, actorName: null, resourceId: 'a', resourceName: 'A' },
  data: { cause: { errorCode: 'no_results', message: 'No check has returned a result.' } },
};
const group: UnobservedMonitors = { monitorIds: ['a', 'b'], count: 2, since: START - 300_000, end: null };

describe('alertOfUnobserved', () => {
  it('names the monitors, and since when the first of them has not been observed', () => {
    expect(alertOfUnobserved(opening, group)).toMatchObject({
      ...{
        event: 'unknown',
        subjectId: 'event',
        eventId: 'event',
        incidentId: null,
        monitorIds: ['a', 'b'],
        end: null,
      },
      subject: {
        ...{ title: null, startedAt: '2026-11-24T11:55:00.000Z', resolvedAt: null, impact: 'unknown' },
        detail: 'No check has returned a result.',
      },
    });
  });

  it('says that results do not count', () => {
    const data = { cause: { errorCode: 'disagrees', message: 'They do not count.' } };
    expect(alertOfUnobserved({ ...opening, data }, group).subject.detail).toBe('They do not count.');
  });

  it('counts the monitors that it does not name', () => {
    const data = { cause: { errorCode: 'checker_error', message: 'No ping.' } };
    const { subject } = alertOfUnobserved({ ...opening, data }, { ...group, count: 1_200 });
    expect(subject).toMatchObject({ cause: data.cause, detail: '1200 monitors have no data.' });
  });

  it('ends with the group', () => {
    const end = { at: START + 1_000, how: 'paused' } as const;
    const { subject, ...alert } = alertOfUnobserved(opening, { ...group, end });
    expect(alert.end).toEqual(end);
    expect(subject).toMatchObject({ resolvedAt: '2026-11-24T12:00:01.000Z', detail: null });
  });

  it('is over if its group has been deleted', () => {
    expect(alertOfUnobserved(opening, null)).toMatchObject({ monitorIds: [], end: { at: START + 1, how: 'resolved' } });
  });
});

describe('isLocationLoss', () => {
  it.each([
    ['checking.interrupted', 'no_worker', true],
    ['checking.interrupted', 'disagrees', true],
    ['checking.interrupted', 'network_unavailable', false],
    ['checking.interrupted', 'not_running', false],
    ['checking.resumed', 'no_worker', false],
  ])('of %s because of %s is %s', (type, reason, expected) => {
    expect(isLocationLoss({ ...opening, type, data: { reason } })).toBe(expected);
  });
});

describe('isNetworkLoss', () => {
  it.each([
    ['checking.interrupted', 'network_unavailable', true],
    ['checking.interrupted', 'not_running', false],
    ['checking.interrupted', undefined, false],
    ['monitor.unknown', 'network_unavailable', false],
  ])('of %s because of %s is %s', (type, reason, expected) => {
    expect(isNetworkLoss({ ...opening, type, data: { reason } })).toBe(expected);
  });
});
