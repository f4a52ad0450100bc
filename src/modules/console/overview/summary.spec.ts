import { expect, it } from '@jest/globals';
import { type MonitorStatus } from '../../monitors/dto/monitor.dto.js';
import { summaryOf } from './summary.js';

it.each<[string, string, Partial<Record<MonitorStatus, number>>]>([
  ['down', '1 monitor down', { down: 1, degraded: 2, up: 9 }],
  ['down', '1,200 monitors down', { down: 1_200 }],
  ['degraded', '2 monitors degraded', { degraded: 2, unknown: 1, up: 9 }],
  ['unknown', '1 monitor without data', { unknown: 1, up: 9 }],
  ['up', 'No monitors are down', { up: 9, paused: 1, maintenance: 1, pending: 1 }],
  ['maintenance', 'Under maintenance', { maintenance: 1, paused: 1 }],
  ['unknown', 'Waiting for the first results', { pending: 1, paused: 1 }],
  ['paused', 'All monitors are paused', { paused: 1 }],
  ['unknown', 'No monitors yet', {}],
])('is %s, "%s" for %j', (mark, sentence, counts) => {
  expect(summaryOf(new Map(Object.entries(counts)) as Map<MonitorStatus, number>)).toEqual({ mark, sentence });
});
