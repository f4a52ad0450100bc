import { expect, it } from '@jest/globals';
import { type MonitorDto } from '../../monitors/dto/monitor.dto.js';
import { attentionCount, needsAttention } from './attention.js';

it.each<[boolean, MonitorDto['status'], MonitorDto['verifying']]>([
  [true, 'down', null],
  [true, 'down', 'up'],
  [true, 'degraded', null],
  [true, 'unknown', null],
  [true, 'up', 'down'],
  [true, 'up', 'degraded'],
  [true, 'pending', 'down'],
  [false, 'pending', null],
  [false, 'up', null],
  [false, 'maintenance', 'down'],
  [false, 'paused', null],
])('needsAttention is %s for %s, verifying %s', (expected, status, verifying) => {
  expect(needsAttention({ status, verifying })).toBe(expected);
});

it.each<[number, MonitorDto['status'][]]>([
  [5, ['down', 'degraded']],
  [5, ['down', 'degraded', 'degraded', 'unknown', 'unknown']],
  [8, ['down', 'degraded', 'up', 'pending', 'up']],
])('attentionCount is %i if %j are shown', (expected, shown) => {
  const counts = new Map([['down', 1] as const, ['degraded', 2] as const, ['unknown', 2] as const, ['up', 9] as const]);
  expect(
    attentionCount(
      shown.map((status) => ({ status })),
      counts,
    ),
  ).toBe(expected);
});
