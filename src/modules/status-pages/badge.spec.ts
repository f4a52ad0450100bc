import { describe, expect, it } from '@jest/globals';
import { MONITOR_STATUSES } from '../monitors/dto/monitor.dto.js';
import { badgeLabel, responseTimeBadge, statusBadge, uptimeBadge } from './badge.js';

const DAY = 86_400;

describe('statusBadge', () => {
  it('has a word and a shape for each status', () => {
    const told = MONITOR_STATUSES.map((status) => {
      const { value, mark, tone } = statusBadge('A', status);
      return [status, value, mark, tone];
    });
    expect(Object.fromEntries(told.map(([status, ...rest]) => [status, rest]))).toEqual({
      pending: ['not checked yet', 'unknown', 'unknown'],
      up: ['operational', 'up', 'up'],
      degraded: ['degraded', 'degraded', 'degraded'],
      down: ['down', 'down', 'down'],
      paused: ['paused', 'paused', 'paused'],
      maintenance: ['maintenance', 'maintenance', 'maintenance'],
      unknown: ['no data', 'unknown', 'unknown'],
    });
    expect(statusBadge('Checkout', 'down').told).toBe('Checkout: down');
  });
});

describe('uptimeBadge', () => {
  it.each([
    [100, 90 * DAY, '100%', 'A uptime: 100% over 90.0 days', 'up'],
    [99.999, 90 * DAY - 1, '99.999%', 'A uptime: 99.999% over 89.9 days', 'up'],
    [99.9, DAY, '99.900%', 'A uptime: 99.900% over 1.0 days', 'up'],
    [99.899, DAY, '99.899%', 'A uptime: 99.899% over 1.0 days', 'degraded'],
    [99, DAY, '99.000%', 'A uptime: 99.000% over 1.0 days', 'degraded'],
    [98.999, 3_600, '98.999%', 'A uptime: 98.999% over 1 hour', 'down'],
    [0, 60, '0.000%', 'A uptime: 0.000% over 1 minute', 'down'],
    [null, 0, 'no data', 'A: no data', 'unknown'],
  ])('shows %d over %d s as "%s"', (uptimePercent, observedSeconds, value, told, tone) => {
    expect(uptimeBadge('A', { uptimePercent, observedSeconds })).toMatchObject({ value, told, tone });
  });
});

describe('responseTimeBadge', () => {
  it.each([
    [null, 'no data', 'A: no data', 'unknown'],
    [0, '< 1 ms', 'A: < 1 ms mean response time', 'plain'],
    [0.999, '< 1 ms', 'A: < 1 ms mean response time', 'plain'],
    [1, '1 ms', 'A: 1 ms mean response time', 'plain'],
    [84.5, '85 ms', 'A: 85 ms mean response time', 'plain'],
    [59_999.9, '60000 ms', 'A: 60000 ms mean response time', 'plain'],
  ])('shows %d ms as "%s"', (meanMs, value, told, tone) => {
    expect(responseTimeBadge('A', meanMs)).toMatchObject({ value, told, tone });
  });
});

describe('badgeLabel', () => {
  it.each([
    ['the first text that is not blank', [undefined, '', ' \n ', 'Name'], 'Name'],
    ['a string, not a list or an object', [['a', 'b'], { a: 1 }, 'Name'], 'Name'],
    ['a dash if all texts are blank', ['\u0001\u202E', ''], '–'],
    ['a single line', [' a\r\n\tb\u2028c\u0000d  e '], 'a b c d e'],
    ['text that is valid in XML', ['a\u0001b\u0085c\uFFFEd\uFFFFe\uD800f\u{1FFFF}'], 'a b cdef'],
    ['text without direction controls', ['\u202Edrawkcab\u202C\u2066\u2069\u200F\u061C'], 'drawkcab'],
    ['text in other scripts', ['שלום 世界 سلام'], 'שלום 世界 سلام'],
    ['text with joined emoji', ['👩‍👩‍👧 ok'], '👩‍👩‍👧 ok'],
    ['at most 200 code points', ['😀'.repeat(201)], '😀'.repeat(200)],
  ])('returns %s', (_, texts, label) => {
    expect(badgeLabel(...(texts as unknown[]))).toBe(label);
  });
});
