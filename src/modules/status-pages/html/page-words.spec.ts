import { describe, expect, it } from '@jest/globals';
import { type MonitorStatus } from '../../monitors/dto/monitor.dto.js';
import { type PublicComponentDto, type PublicPageDto } from '../dto/public-page.dto.js';
import { pageStatus } from '../page-status.js';
import { overallWords, percent, uptimeWords } from './page-words.js';

function page(...statuses: MonitorStatus[]): PublicPageDto {
  const components = statuses.map(
    (status, index) => ({ name: `C${index + 1}`, status, since: '2026-11-20T13:02:00Z' }) as PublicComponentDto,
  );
  return {
    ...{ status: pageStatus(statuses), components, timezone: 'Europe/Berlin', computedAt: '2026-11-20T13:08:21Z' },
    ...{
      name: 'Shop',
      description: null,
      historyDays: 90,
      homepageUrl: null,
      logoUrl: null,
      incidents: [],
      maintenance: [],
    },
  };
}

describe('overallWords', () => {
  it.each<[MonitorStatus[], string, string | null]>([
    [[], 'This page has no components yet.', null],
    [['up', 'up'], 'All systems are operational.', null],
    [['up', 'paused', 'pending'], 'All systems are operational.', null],
    [['up', 'unknown'], 'No problems are known.', 'We have no current data for C2.'],
    [['up', 'unknown', 'unknown'], 'No problems are known.', 'We have no current data for 2 of 3 components.'],
    [['up', 'down'], 'C2 has been down since 14:02 CET (6 minutes).', null],
    [['up', 'down', 'unknown'], 'C2 has been down since 14:02 CET (6 minutes).', 'We have no current data for C3.'],
    [['up', 'down', 'down'], '2 of 3 components are down.', null],
    [['down', 'down'], 'All 2 components are down.', null],
    [['down'], 'C1 has been down since 14:02 CET (6 minutes).', null],
    [['degraded', 'up'], 'C1 has been slow or degraded since 14:02 CET (6 minutes).', null],
    [['degraded', 'degraded', 'up'], '2 of 3 components are slow or degraded.', null],
    [['maintenance', 'up'], 'C1 has been under maintenance since 14:02 CET (6 minutes).', null],
    [['unknown', 'unknown'], 'We have no current data.', null],
    [['pending'], 'We have no current data.', null],
    [['paused', 'paused'], 'Checks are paused.', null],
  ])('%j: %s', (statuses, headline, remark) => {
    expect(overallWords(page(...statuses))).toEqual({ headline, remark });
  });
});

describe('figures in words', () => {
  it.each([
    [100, '100 %'],
    [99.999, '99.999 %'],
    [99.5, '99.500 %'],
    [0, '0.000 %'],
  ])('%d', (value, text) => {
    expect(percent(value)).toBe(text);
  });

  it.each<[number | null, number | null, string]>([
    [99.982, 89.49 * 86_400, '99.982 % of 89.4 days observed'],
    [100, 3_700, '100 % of 1 hour observed'],
    [0, 60, '0.000 % of 1 minute observed'],
    [null, 0, 'Nothing observed yet'],
    [null, null, 'Nothing observed yet'],
  ])('%s over %s seconds', (uptimePercent, observedSeconds, text) => {
    expect(uptimeWords({ uptimePercent, observedSeconds })).toBe(text);
  });
});
