import { type MonitorDto } from '../../monitors/dto/monitor.dto.js';
import { type MonitorCounts } from '../../monitors/state/monitor-counts.service.js';
import { type LiveMonitor } from '../monitors/live-parts.js';

/** A screen on the wall shows this many monitors. */
export const WALL_TILES = 60;

/** A monitor that needs attention, and its open incident with the name of whoever has acknowledged it. */
export interface Wrong {
  live: LiveMonitor;
  incident: { id: string; acknowledgedBy: string | null } | null;
}

const IN_TROUBLE: readonly MonitorDto['status'][] = ['down', 'degraded', 'unknown'];

/** Returns whether somebody should look at a monitor: it is in trouble, or about to be. */
export function needsAttention({ status, verifying }: Pick<MonitorDto, 'status' | 'verifying'>): boolean {
  if (IN_TROUBLE.includes(status)) return true;
  return (status === 'up' || status === 'pending') && (verifying === 'down' || verifying === 'degraded');
}

/**
 * Returns the number of monitors that need attention: those in trouble, and of those about to be, which are not counted
 * by state, the ones that are shown.
 */
export function attentionCount(shown: readonly Pick<MonitorDto, 'status'>[], counts: MonitorCounts): number {
  const others = shown.filter(({ status }) => !IN_TROUBLE.includes(status));
  return IN_TROUBLE.reduce((sum, status) => sum + (counts.get(status) ?? 0), others.length);
}
