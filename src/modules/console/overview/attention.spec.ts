import { expect, it } from '@jest/globals';
import { type MonitorDto } from '../../monitors/dto/monitor.dto.js';
import { needsAttention } from './attention.js';

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
