import { expect, it } from '@jest/globals';
import { DAY_MS } from '../../../domain/durations.js';
import { type LatestCheck } from '../../checks/latest-checks.service.js';
import { type MonitorDto } from '../../monitors/dto/monitor.dto.js';
import { liveUpdate } from './live-parts.js';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const at = (days: number): Date => new Date(NOW - days * DAY_MS);
const WEEKLY = {
  type: 'heartbeat',
  status: 'up',
  statusSince: at(30).toISOString(),
  verifying: null,
  confirming: null,
  lastError: null,
  settings: { schedule: { everySeconds: 604_800 } },
} as unknown as MonitorDto;

it.each<[string | null, Omit<LatestCheck, 'status'> | null, string]>([
  [null, null, 'None recently'],
  [at(5).toISOString(), null, '5 days ago'],
  [at(1).toISOString(), { checkedAt: at(1), responseTimeMs: 250 }, '250 ms 1 day ago'],
  [at(1).toISOString(), { checkedAt: at(1), responseTimeMs: null }, 'No duration 1 day ago'],
])('shows a last report of %s with the check %j as "%s"', (lastCheckAt, found, text) => {
  const latest = found && { ...found, status: 'up' as const };
  const { parts } = liveUpdate({ monitor: { ...WEEKLY, lastCheckAt }, latest, nowMs: NOW });
  expect(parts.last.replaceAll(/<[^>]*>/g, '')).toBe(text);
});
