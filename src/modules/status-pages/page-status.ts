import { type Impact } from '../incidents/dto/incident.dto.js';
import { type MonitorStatus } from '../monitors/dto/monitor.dto.js';

export const PAGE_STATUSES = [
  'operational',
  'degraded',
  'partial_outage',
  'major_outage',
  'maintenance',
  'unknown',
] as const;
export type PageStatus = (typeof PAGE_STATUSES)[number];

/**
 * Returns the status of a component with the impact of an open manual incident, which overrides anything but `down`:
 * its author knows more than the checks.
 */
export function impaired(status: MonitorStatus, impact: Impact = 'none'): MonitorStatus {
  return impact === 'none' || status === 'down' ? status : impact;
}

/** Statuses without information about the service, because it is not checked or not yet. */
const UNCHECKED: ReadonlySet<MonitorStatus> = new Set(['paused', 'pending']);

/**
 * Returns the overall state of a page from the statuses of its components, ignoring paused and pending ones:
 * `major_outage` if all are down (without data or in maintenance is not down), `partial_outage` if some are, otherwise
 * the worst of the others; `unknown` if no component has data.
 */
export function pageStatus(statuses: readonly MonitorStatus[]): PageStatus {
  const counted = statuses.filter((status) => !UNCHECKED.has(status));
  if (counted.every((status) => status === 'unknown')) return 'unknown';
  if (counted.every((status) => status === 'down')) return 'major_outage';
  if (counted.includes('down')) return 'partial_outage';
  if (counted.includes('degraded')) return 'degraded';
  return counted.includes('maintenance') ? 'maintenance' : 'operational';
}
