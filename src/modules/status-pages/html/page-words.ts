import { type MonitorStatus } from '../../monitors/dto/monitor.dto.js';
import { type Phase } from '../../incidents/dto/incident.dto.js';
import { type PublicIncidentDto } from '../dto/public-incident.dto.js';
import { type PublicComponentDto, type PublicPageDto } from '../dto/public-page.dto.js';
import { type PageStatus } from '../page-status.js';
import { Clock, duration } from './time-text.js';

/** What a state looks like: each kind has a shape and a colour of its own. */
export type Mark = 'up' | 'degraded' | 'down' | 'maintenance' | 'paused' | 'excluded' | 'unknown';

export const MARK_WORDS: Readonly<Record<Mark, string>> = {
  up: 'Up',
  degraded: 'Degraded',
  down: 'Down',
  maintenance: 'Maintenance',
  paused: 'Paused',
  excluded: 'Not counted',
  unknown: 'No data',
};

/** The same shapes as text, for the title of the page. */
export const MARK_GLYPHS: Readonly<Record<Mark, string>> = {
  up: '●',
  degraded: '◐',
  down: '▲',
  maintenance: '◆',
  paused: '‖',
  excluded: '–',
  unknown: '○',
};

export const PAGE_WORDS: Readonly<Record<PageStatus, { mark: Mark; word: string }>> = {
  operational: { mark: 'up', word: 'Operational' },
  degraded: { mark: 'degraded', word: 'Degraded' },
  partial_outage: { mark: 'down', word: 'Partial outage' },
  major_outage: { mark: 'down', word: 'Major outage' },
  maintenance: { mark: 'maintenance', word: 'Maintenance' },
  unknown: { mark: 'unknown', word: 'Unknown' },
};

export const PHASE_WORDS: Readonly<Record<Phase, string>> = {
  investigating: 'Investigating',
  identified: 'Identified',
  monitoring: 'Monitoring',
  resolved: 'Resolved',
  note: 'Note',
};

/** How an incident stands: while it is open, by what it means for users and how far the work on it is. */
export function incidentState({ status, impact, updates }: PublicIncidentDto): { mark: Mark; word: string } {
  if (status === 'resolved') return { mark: 'up', word: 'Resolved' };
  const mark = impact === 'none' ? 'unknown' : impact;
  const told = updates.find(({ phase }) => phase !== 'note');
  return { mark, word: told ? PHASE_WORDS[told.phase] : 'Open' };
}

export function markOf(status: MonitorStatus): Mark {
  return status === 'pending' ? 'unknown' : status;
}

export function wordOf(status: MonitorStatus): string {
  return status === 'pending' ? 'Not checked yet' : status === 'up' ? 'Operational' : MARK_WORDS[markOf(status)];
}

/**
 * The overall state in one plain sentence, with its beginning where it is the state of one component; and, as a remark,
 * how much of the page nothing is known of.
 */
export function overallWords(page: PublicPageDto): { headline: string; remark: string | null } {
  const silent = page.components.filter(({ status }) => status === 'unknown');
  const isPartlySilent = silent.length > 0 && page.status !== 'unknown';
  const remark = isPartlySilent ? `We have no current data for ${counted(silent, page.components.length)}.` : null;
  return { headline: headline(page, isPartlySilent), remark };
}

function headline(page: PublicPageDto, isPartlySilent: boolean): string {
  const { status, components } = page;
  if (components.length === 0) return 'This page has no components yet.';
  switch (status) {
    case 'operational':
      return isPartlySilent ? 'No problems are known.' : 'All systems are operational.';
    case 'degraded':
      return told(page, 'degraded', 'has been slow or degraded', 'are slow or degraded');
    case 'partial_outage':
    case 'major_outage':
      return told(page, 'down', 'has been down', 'are down');
    case 'maintenance':
      return told(page, 'maintenance', 'has been under maintenance', 'are under maintenance');
    case 'unknown':
      return components.every((one) => one.status === 'paused') ? 'Checks are paused.' : 'We have no current data.';
  }
}

function told(page: PublicPageDto, kind: MonitorStatus, one: string, many: string) {
  const { components, incidents, timezone, computedAt } = page;
  const those = components.filter(({ status }) => status === kind);
  // Checks see nothing of it: it is what somebody has written.
  const written = incidents.find(({ status, impact }) => status === 'open' && impact === kind);
  if (those.length === 0 && written) return `${written.title}.`;
  const [only] = those;
  if (those.length !== 1 || !only) return `${counted(those, components.length)} ${many}.`;
  const sinceMs = Date.parse(only.since);
  const nowMs = Date.parse(computedAt);
  return `${only.name} ${one} since ${new Clock(timezone, nowMs).at(sinceMs)} (${duration(nowMs - sinceMs)}).`;
}

function counted(some: readonly PublicComponentDto[], total: number): string {
  const [only] = some;
  if (some.length === 1 && only) return only.name;
  return some.length === total ? `All ${total} components` : `${some.length} of ${total} components`;
}

/** `99.982 %`; figures are cut to 3 decimals already. */
export function percent(value: number): string {
  return value === 100 ? '100 %' : `${value.toFixed(3)} %`;
}

/** What the uptime of a component is, and over what it was measured. */
export function uptimeWords({
  uptimePercent,
  observedSeconds,
}: Pick<PublicComponentDto, 'uptimePercent' | 'observedSeconds'>): string {
  if (uptimePercent === null || !observedSeconds) return 'Nothing observed yet';
  const days = observedSeconds / 86_400;
  // Cut like the figure itself: 90 days are not observed before they are over.
  const over = days < 1 ? duration(observedSeconds * 1_000) : `${(Math.floor(days * 10) / 10).toFixed(1)} days`;
  return `${percent(uptimePercent)} of ${over} observed`;
}
