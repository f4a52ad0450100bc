import { type Impact } from '../../incidents/dto/incident.dto.js';
import { type MonitorStatus } from '../../monitors/dto/monitor.dto.js';
import { type PublicIncidentDto } from '../dto/public-incident.dto.js';
import { type PageStatus } from '../page-status.js';
import {
  COMPONENT_STATUSES,
  type ComponentStatus,
  type StatuspageIncidentDto,
  type StatuspageIncidentStatus,
  type StatuspageStatusDto,
} from './statuspage.dto.js';

/** The overall states in the words of Statuspage. It has no state for missing data, which is not a known problem. */
export const OVERALL: Readonly<Record<PageStatus, StatuspageStatusDto>> = {
  operational: { indicator: 'none', description: 'All Systems Operational' },
  degraded: { indicator: 'minor', description: 'Partially Degraded Service' },
  partial_outage: { indicator: 'major', description: 'Partial System Outage' },
  major_outage: { indicator: 'critical', description: 'Major Service Outage' },
  maintenance: { indicator: 'none', description: 'Service Under Maintenance' },
  unknown: { indicator: 'none', description: 'No Current Data' },
};

const OF_COMPONENT: Readonly<Record<MonitorStatus, ComponentStatus>> = {
  up: 'operational',
  degraded: 'degraded_performance',
  down: 'major_outage',
  maintenance: 'under_maintenance',
  pending: 'operational',
  paused: 'operational',
  unknown: 'operational',
};

export function componentStatus(status: MonitorStatus): ComponentStatus {
  return OF_COMPONENT[status];
}

/** Returns the worst of some states; `operational` if there are none. */
export function worstOf(statuses: readonly ComponentStatus[]): ComponentStatus {
  return COMPONENT_STATUSES[Math.max(0, ...statuses.map((status) => COMPONENT_STATUSES.indexOf(status)))]!;
}

const OF_IMPACT = { down: 'major', degraded: 'minor', none: 'none' } as const;

export function impactOf(impact: Impact): StatuspageIncidentDto['impact'] {
  return OF_IMPACT[impact];
}

/** An update before it has ids. */
export interface StatuspageUpdate {
  at: string;
  status: StatuspageIncidentStatus;
  body: string;
}

/**
 * Returns the updates of an incident, newest first, at least one. A note has the status of the time at which it was
 * posted. Updates that Statuspage requires, but that nobody posted, repeat the title or state the resolution.
 */
export function updatesOf({ title, startedAt, resolvedAt, updates }: PublicIncidentDto): StatuspageUpdate[] {
  let status: StatuspageIncidentStatus = 'investigating';
  const posted = updates.toReversed().map(({ at, phase, text }): StatuspageUpdate => {
    if (phase !== 'note') status = phase;
    else if (resolvedAt !== null && at >= resolvedAt) status = 'resolved';
    return { at, status, body: text };
  });
  if (posted.length === 0) posted.push({ at: startedAt, status, body: `${title}.` });
  if (resolvedAt !== null && !updates.some(({ phase }) => phase === 'resolved')) {
    posted.push({ at: resolvedAt, status: 'resolved', body: 'This incident has been resolved.' });
  }
  return posted.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)).reverse();
}

/** Returns the status of an incident: while it is open, the latest one that is not `resolved`; then `postmortem` if there is one. */
export function incidentStatus({ status, updates }: PublicIncidentDto): StatuspageIncidentStatus {
  if (status === 'resolved') return updates.some(({ phase }) => phase === 'postmortem') ? 'postmortem' : 'resolved';
  const latest = updates.find(({ phase }) => phase !== 'note' && phase !== 'resolved')?.phase;
  return (latest as StatuspageIncidentStatus | undefined) ?? 'investigating';
}
