import { type MonitorStatus } from '../monitors/dto/monitor.dto.js';
import { type PublicComponentDto } from './dto/public-page.dto.js';
import { type Mark } from '../../html/marks.js';
import { percent, uptimeWords } from '../../html/uptime-words.js';
import { statusMark } from '../../html/status-words.js';
import { wordOf } from './html/page-words.js';

/** What a badge shows: its label on the left, its value on the right. */
export interface Badge {
  label: string;
  value: string;
  /** The same in one line, for who cannot see it and as its tooltip. */
  told: string;
  /** The state whose shape stands before the value. */
  mark: Mark | null;
  tone: Mark | 'plain';
}

/** Code points of a label at most, as many as a component's name has. */
const MAX_LABEL = 200;
const NO_DATA = { value: 'no data', mark: 'unknown', tone: 'unknown' } as const;

/** The state in the words of the page. `label` is a `badgeLabel`, here and below. */
export function statusBadge(label: string, status: MonitorStatus): Badge {
  const value = wordOf(status).toLowerCase();
  const mark = statusMark(status);
  return { label, value, told: `${label}: ${value}`, mark, tone: mark };
}

/** The uptime in percent, as it was cut, and in its tooltip over what it was measured. */
export function uptimeBadge(
  label: string,
  uptime: Pick<PublicComponentDto, 'uptimePercent' | 'observedSeconds'>,
): Badge {
  const { uptimePercent } = uptime;
  if (uptimePercent === null) return { label, told: `${label}: ${NO_DATA.value}`, ...NO_DATA };
  const tone = uptimePercent >= 99.9 ? 'up' : uptimePercent >= 99 ? 'degraded' : 'down';
  return { label, value: percent(uptimePercent), told: `${label}: ${uptimeWords(uptime)}`, mark: null, tone };
}

/** A mean response time in milliseconds, null where there is none. It has no colour: what is slow, only its owner knows. */
export function responseTimeBadge(label: string, meanMs: number | null): Badge {
  if (meanMs === null) return { label, told: `${label}: ${NO_DATA.value}`, ...NO_DATA };
  const value = meanMs < 1 ? '< 1 ms' : `${Math.round(meanMs)} ms`;
  return { label, value, told: `${label}: ${value} mean response time`, mark: null, tone: 'plain' };
}

/**
 * The first of these texts with anything to show: on one line, fit for XML, and without what would turn the direction
 * of the value that follows.
 */
export function badgeLabel(...texts: readonly unknown[]): string {
  for (const text of texts) {
    const label = typeof text === 'string' ? oneLine(text) : '';
    if (label !== '') return label;
  }
  return '–';
}

function oneLine(text: string): string {
  const plain = text
    .replace(/[\p{Bidi_Control}\p{Surrogate}\p{Noncharacter_Code_Point}]/gu, '')
    .replace(/[\p{Control}\s]+/gu, ' ')
    .trim();
  return [...plain].slice(0, MAX_LABEL).join('');
}
