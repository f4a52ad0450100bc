import { type MonitorStatus } from '../../monitors/dto/monitor.dto.js';
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

export function markOf(status: MonitorStatus): Mark {
  return status === 'pending' ? 'unknown' : status;
}

export function wordOf(status: MonitorStatus): string {
  return status === 'pending' ? 'Not checked yet' : status === 'up' ? 'Operational' : MARK_WORDS[markOf(status)];
}

/**
 * The overall state in one or two plain sentences: what is wrong, since when where it is one component, and how much of
 * the page nothing is known of.
 */
export function sentence({ status, components, timezone, computedAt }: PublicPageDto): string {
  const { length } = components;
  if (length === 0) return 'This page has no components yet.';
  const of = (...kinds: MonitorStatus[]) => components.filter((one) => kinds.includes(one.status));
  const silent = of('unknown');
  const unseen = silent.length === 0 ? '' : ` We have no current data for ${counted(silent, length)}.`;
  const clock = new Clock(timezone, Date.parse(computedAt));
  const tell = (subjects: PublicComponentDto[], one: string, many: string): string => {
    const [only] = subjects;
    if (subjects.length !== 1 || !only) return `${counted(subjects, length, true)} ${many}.${unseen}`;
    const since = Date.parse(only.since);
    return `${only.name} ${one} since ${clock.at(since)} (${duration(Date.parse(computedAt) - since)}).${unseen}`;
  };
  switch (status) {
    case 'operational':
      return silent.length > 0 ? `No problems are known.${unseen}` : 'All systems are operational.';
    case 'degraded':
      return tell(of('degraded'), 'has been slow or degraded', 'are slow or degraded');
    case 'partial_outage':
    case 'major_outage':
      return tell(of('down'), 'has been down', 'are down');
    case 'maintenance':
      return tell(of('maintenance'), 'has been under maintenance', 'are under maintenance');
    case 'unknown':
      return of('paused').length === length ? 'Checks are paused.' : 'We have no current data.';
  }
}

function counted(some: PublicComponentDto[], total: number, opening = false): string {
  const [only] = some;
  if (some.length === 1 && only) return only.name;
  if (some.length === total) return `${opening ? 'All' : 'all'} ${total} components`;
  return `${some.length} of ${total} components`;
}

/** `99.982 %`; figures are cut to 3 decimals already. */
export function percent(value: number): string {
  return value === 100 ? '100 %' : `${value.toFixed(3)} %`;
}

/** What the uptime of a component is, and over what it was measured. */
export function uptimeWords({ uptimePercent, observedSeconds }: PublicComponentDto): string {
  if (uptimePercent === null || !observedSeconds) return 'Nothing observed yet';
  const days = observedSeconds / 86_400;
  // Cut like the figure itself: 90 days are not observed before they are over.
  const over = days < 1 ? duration(observedSeconds * 1_000) : `${(Math.floor(days * 10) / 10).toFixed(1)} days`;
  return `${percent(uptimePercent)} of ${over} observed`;
}
