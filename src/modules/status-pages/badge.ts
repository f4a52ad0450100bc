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
  /** The same as one text, for screen readers and as the tooltip. */
  told: string;
  /** The state whose shape is drawn before the value. */
  mark: Mark | null;
  tone: Mark | 'plain';
}

/** Maximum number of code points of a label, the same as for the name of a component. */
const MAX_LABEL = 200;
const NO_DATA = { value: 'no data', mark: 'unknown', tone: 'unknown' } as const;

/** Returns the badge of a state, with the words of the page. Here and below, `label` is a result of `badgeLabel`. */
export function statusBadge(label: string, status: MonitorStatus): Badge {
  const value = wordOf(status).toLowerCase();
  const mark = statusMark(status);
  return { label, value, told: `${label}: ${value}`, mark, tone: mark };
}

/** Returns the badge of an uptime in percent, truncated as given; the tooltip states the time that it covers. */
export function uptimeBadge(
  label: string,
  uptime: Pick<PublicComponentDto, 'uptimePercent' | 'observedSeconds'>,
): Badge {
  const { uptimePercent } = uptime;
  if (uptimePercent === null) return { label, told: `${label}: ${NO_DATA.value}`, ...NO_DATA };
  const tone = uptimePercent >= 99.9 ? 'up' : uptimePercent >= 99 ? 'degraded' : 'down';
  return { label, value: percent(uptimePercent), told: `${label} uptime: ${uptimeWords(uptime)}`, mark: null, tone };
}

/**
 * Returns the badge of a mean response time in milliseconds, or null if there is none. It has no colour, because only
 * the owner of the component knows what is slow.
 */
export function responseTimeBadge(label: string, meanMs: number | null): Badge {
  if (meanMs === null) return { label, told: `${label}: ${NO_DATA.value}`, ...NO_DATA };
  const value = meanMs < 1 ? '< 1 ms' : `${Math.round(meanMs)} ms`;
  return { label, value, told: `${label}: ${value} mean response time`, mark: null, tone: 'plain' };
}

/**
 * Returns the first of these texts that is not blank, as one line, valid in XML, and without characters that would
 * change the direction of the value after it.
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
