import { describe, expect, it } from '@jest/globals';
import { type MonitorStatus } from '../monitors/dto/monitor.dto.js';
import { type PageStatus, pageStatus } from './page-status.js';

describe('pageStatus', () => {
  it.each<[MonitorStatus[], PageStatus]>([
    [[], 'unknown'],
    [['up'], 'operational'],
    [['up', 'up'], 'operational'],
    [['down'], 'major_outage'],
    [['down', 'down'], 'major_outage'],
    [['down', 'up'], 'partial_outage'],
    [['down', 'degraded'], 'partial_outage'],
    [['down', 'maintenance'], 'partial_outage'],
    [['down', 'unknown'], 'partial_outage'],
    [['down', 'paused'], 'major_outage'],
    [['down', 'pending'], 'major_outage'],
    [['degraded'], 'degraded'],
    [['degraded', 'up', 'maintenance'], 'degraded'],
    [['maintenance'], 'maintenance'],
    [['maintenance', 'up'], 'maintenance'],
    [['unknown'], 'unknown'],
    [['unknown', 'unknown'], 'unknown'],
    [['unknown', 'up'], 'operational'],
    [['unknown', 'paused'], 'unknown'],
    [['paused'], 'unknown'],
    [['pending'], 'unknown'],
    [['paused', 'pending'], 'unknown'],
    [['paused', 'up'], 'operational'],
    [['pending', 'up'], 'operational'],
  ])('maps %j to %s', (statuses, expected) => {
    expect(pageStatus(statuses)).toBe(expected);
    expect(pageStatus(statuses.toReversed())).toBe(expected);
  });
});
