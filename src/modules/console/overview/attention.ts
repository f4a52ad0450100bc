import { type MonitorDto } from '../../monitors/dto/monitor.dto.js';
import { type LiveMonitor } from '../monitors/live-parts.js';

/** A screen on the wall shows this many monitors. */
export const WALL_TILES = 60;

/** A monitor that needs attention, and its open incident with the name of whoever has acknowledged it. */
export interface Wrong {
  live: LiveMonitor;
  incident: { id: string; acknowledgedBy: string | null } | null;
}

/** Returns whether somebody should look at a monitor: it is in trouble, or about to be. */
export function needsAttention({ status, verifying }: Pick<MonitorDto, 'status' | 'verifying'>): boolean {
  if (status === 'down' || status === 'degraded' || status === 'unknown') return true;
  return (status === 'up' || status === 'pending') && (verifying === 'down' || verifying === 'degraded');
}
