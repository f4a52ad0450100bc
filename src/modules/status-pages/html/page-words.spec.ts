import { describe, expect, it } from '@jest/globals';
import { Clock } from '../../../html/time-text.js';
import { type MonitorStatus } from '../../monitors/dto/monitor.dto.js';
import { type PublicIncidentDto } from '../dto/public-incident.dto.js';
import { type PublicMaintenanceDto } from '../dto/public-maintenance.dto.js';
import { type PublicComponentDto, type PublicPageDto } from '../dto/public-page.dto.js';
import { type PageStatus, pageStatus } from '../page-status.js';
import { groupState, headlineText, overallWords } from './page-words.js';

const CLOCK = new Clock('Europe/Berlin', Date.parse('2026-11-20T13:08:21Z'));

function page(...statuses: MonitorStatus[]): PublicPageDto {
  const components = statuses.map(
    (status, index) => ({ name: `C${index + 1}`, status, since: '2026-11-20T13:02:00Z' }) as PublicComponentDto,
  );
  return {
    status: pageStatus(statuses),
    components,
    timezone: 'Europe/Berlin',
    computedAt: '2026-11-20T13:08:21Z',
    name: 'Shop',
    description: null,
    historyDays: 90,
    homepageUrl: null,
    accentColor: null,
    logoUrl: null,
    incidents: [],
    maintenance: [],
  };
}

describe('overallWords', () => {
  it.each<[MonitorStatus[], string, string | null, (string | null)?]>([
    [[], 'This page has no components yet', null],
    [['up', 'up'], 'All systems are operational', null],
    [['up', 'paused', 'pending'], 'All systems are operational', null],
    [['up', 'unknown'], 'No problems are known', 'We have no current data for C2.'],
    [['up', 'unknown', 'unknown'], 'No problems are known', 'We have no current data for 2 of 3 components.'],
    [['up', 'down'], 'C2 has been down since 14:02 CET', null, '6 minutes'],
    [['up', 'down', 'unknown'], 'C2 has been down since 14:02 CET', 'We have no current data for C3.', '6 minutes'],
    [['up', 'down', 'down'], '2 of 3 components are down', null],
    [['down', 'down'], 'All 2 components are down', null],
    [['down'], 'C1 has been down since 14:02 CET', null, '6 minutes'],
    [['degraded', 'up'], 'C1 has been slow or degraded since 14:02 CET', null, '6 minutes'],
    [['degraded', 'degraded', 'up'], '2 of 3 components are slow or degraded', null],
    [['maintenance', 'up'], 'C1 has been under maintenance since 14:02 CET', null, '6 minutes'],
    [['unknown', 'unknown'], 'We have no current data', null],
    [['pending'], 'We have no current data', null],
    [['paused', 'paused'], 'Checks are paused', null],
  ])('describes %j as "%s"', (statuses, headline, remark, lasting = null) => {
    const words = overallWords(page(...statuses));
    expect([headlineText(words, CLOCK), words.lasting, words.remark]).toEqual([headline, lasting, remark]);
  });

  it.each<[PageStatus, string]>([
    ['degraded', 'Some systems are slow or degraded'],
    ['partial_outage', 'Some systems are down'],
    ['major_outage', 'Some systems are down'],
  ])('describes %s without a component or an incident that explains it as "%s"', (status, headline) => {
    expect(overallWords({ ...page('up', 'up'), status }).headline).toBe(headline);
  });

  it('states when maintenance ends, if that is known', () => {
    const one = page('maintenance', 'up');
    const work = { active: true, componentIds: ['c1'], endsAt: '2026-11-20T14:30:00Z' } as PublicMaintenanceDto;
    one.components[0]!.id = 'c1';
    const textOf = (view: PublicPageDto): string => headlineText(overallWords(view), CLOCK);
    expect(textOf({ ...one, maintenance: [work] })).toBe('C1 is under maintenance until 15:30 CET');
    const planned = { ...work, active: false };
    expect(textOf({ ...one, maintenance: [planned] })).toContain('since 14:02 CET');
  });

  it.each<[MonitorStatus[], string, string]>([
    [['up', 'up'], 'All systems are up right now', 'C1 is intermittently unavailable.'],
    [
      ['up', 'unknown'],
      'No other problems are known',
      'C1 is intermittently unavailable. We have no current data for C2.',
    ],
    [['up', 'down'], 'C2 has been down since 14:02 CET', ''],
  ])('describes %j, the first of which flaps, as "%s"', (statuses, headline, remark) => {
    const incidents = [
      { title: 'Read this', status: 'open', impact: 'none' },
      { title: 'C2 was down', status: 'resolved', impact: 'down' },
      { title: 'C1 is intermittently unavailable', status: 'open', impact: 'down' },
    ] as PublicIncidentDto[];
    const words = overallWords({ ...page(...statuses), incidents });
    expect([headlineText(words, CLOCK), words.remark]).toEqual([headline, remark || null]);
  });
});

it.each<[MonitorStatus[], string]>([
  [['up'], 'up: Operational'],
  [['up', 'up', 'up'], 'up: Operational'],
  [['up', 'down', 'up', 'up'], 'down! 3 of 4 operational'],
  [['degraded', 'down'], 'down! 0 of 2 operational'],
  [['degraded', 'maintenance'], 'degraded! 0 of 2 operational'],
  [['maintenance', 'up'], 'maintenance: 1 of 2 operational'],
  [['unknown', 'up'], 'unknown: 1 of 2 operational'],
  [['pending', 'up'], 'unknown: 1 of 2 operational'],
  [['paused', 'up'], 'paused: 1 of 2 operational'],
])('groupState of %j is %s', (statuses, expected) => {
  const { mark, word, isTrouble } = groupState(page(...statuses).components);
  expect(`${mark}${isTrouble ? '!' : ':'} ${word}`).toBe(expected);
});
