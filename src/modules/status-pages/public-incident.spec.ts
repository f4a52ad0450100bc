import { expect, it } from '@jest/globals';
import { type IncidentView } from '../incidents/incidents.service.js';
import { toPublicIncident } from './public-incident.js';

const COMPONENTS = [{ id: 'c', name: 'Shop', monitorId: 'm' }];
const CALM = new Date('2026-11-20T14:00:00Z');
const OVER = new Date('2026-11-20T13:30:00Z');

it.each<[string, Partial<IncidentView['incident']>, string]>([
  ['of one outage', { outageCount: 1 }, 'Shop is down'],
  ['of one outage that is over', { outageCount: 1, resolvedAt: OVER }, 'Shop was down'],
  ['of one outage that may come again', { outageCount: 1, settlesAt: CALM }, 'Shop is intermittently unavailable'],
  ['of several outages, down', { outageCount: 2 }, 'Shop is intermittently unavailable'],
  ['of several outages, up', { outageCount: 2, settlesAt: CALM }, 'Shop is intermittently unavailable'],
  ['of several outages that is over', { outageCount: 2, resolvedAt: OVER }, 'Shop was intermittently unavailable'],
  ['with a title set by a user', { outageCount: 2, ownTitle: true, title: 'A full disk' }, 'A full disk'],
])('an incident %s has a title that is consistent with its component', (_, members, title) => {
  const incident = {
    id: 'i',
    ownTitle: false,
    title: 'internal-shop is down',
    impact: 'down',
    startedAt: new Date('2026-11-20T13:00:00Z'),
    resolvedAt: null,
    settlesAt: null,
    ...members,
  } as IncidentView['incident'];
  expect(toPublicIncident({ incident, monitorIds: ['m'], updates: [] }, COMPONENTS)).toMatchObject({ title });
});
