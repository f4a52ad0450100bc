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

/** What a component counts as where an open incident says that its users are impaired: whoever wrote that knows more. */
export function impaired(status: MonitorStatus, impact: Impact = 'none'): MonitorStatus {
  return impact === 'none' || status === 'down' ? status : impact;
}

/** Says nothing of a service: nobody checks it, or nobody has yet. */
const UNCHECKED: ReadonlySet<MonitorStatus> = new Set(['paused', 'pending']);

/**
 * The overall state of a page from what its components' monitors show. Paused and pending ones do not count. Every
 * other one down: `major_outage` (one without data or in maintenance is not down); some: `partial_outage`. Then the
 * worst of the rest; `unknown` where no component has data.
 */
export function pageStatus(statuses: readonly MonitorStatus[]): PageStatus {
  const counted = statuses.filter((status) => !UNCHECKED.has(status));
  if (counted.every((status) => status === 'unknown')) return 'unknown';
  if (counted.every((status) => status === 'down')) return 'major_outage';
  if (counted.includes('down')) return 'partial_outage';
  if (counted.includes('degraded')) return 'degraded';
  return counted.includes('maintenance') ? 'maintenance' : 'operational';
}
