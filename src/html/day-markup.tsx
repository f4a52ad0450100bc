import { renderToString } from 'preact-render-to-string';
import { barParts, dayRuns, type DayRun, daysBeforeData, kindsOf, type ShownDay } from './day-figures.js';
import { MARK_WORDS, type Mark } from './marks.js';
import { StateMark } from './state-mark.js';
import { dayText, duration } from './time-text.js';
import { percent } from './uptime-words.js';

/* Bars and table rows are built as strings rather than as components: a page has thousands of them, and rendering
   them as components would take ten times its time budget. They contain no input of callers, only dates, numbers and
   constant words. */

export const BAR_HEIGHT = 36;
/** The width of a day's bar including the gap to the next one. */
export const BAR_STEP = 10;
export const HATCH = 'unknown-hatch';

const MARKS = Object.fromEntries(
  Object.keys(MARK_WORDS).map((mark) => [mark, renderToString(<StateMark mark={mark as Mark} />)]),
) as Record<Mark, string>;

/** Returns the gap between bars, which are stretched to the page's width: few need a smaller gap, very many none. */
export function gapOf(count: number): number {
  return count > 120 ? 0 : count > 30 ? 2 : 0.5;
}

/** The part that a day before the first result consists of. */
export const EMPTY_SLOT = 'class="slot"';

/** Returns the attribute that colours a part of a bar: a class, or hatching for unknown time. */
export function fillOf(kind: Mark): string {
  return kind === 'unknown' ? `fill="url(#${HATCH})"` : `class="${kind}"`;
}

/** Returns one group per day, oldest on the left, each with the figures of its day as a tooltip. */
export function barsMarkup(days: readonly ShownDay[]): string {
  const width = BAR_STEP - gapOf(days.length);
  const empty = daysBeforeData(days);
  return days
    .map((day, index) => {
      const at = `x="${index * BAR_STEP}" width="${width}"`;
      if (index < empty) {
        const slot = `<rect ${EMPTY_SLOT} ${at} y="0" height="${BAR_HEIGHT}"/>`;
        return `<g><title>${dayText(day.date)}: no data yet</title>${slot}</g>`;
      }
      const rects = barParts(day).map(({ kind, from, share }) => {
        const y = round(BAR_HEIGHT * (1 - from - share));
        return `<rect ${fillOf(kind)} ${at} y="${y}" height="${round(BAR_HEIGHT * share)}"/>`;
      });
      return `<g><title>${dayWords(day)}</title>${rects.join('')}</g>`;
    })
    .join('');
}

/** Returns the rows of the table of days, newest first. Adjacent days with the same figures share a row. */
export function rowsMarkup(days: readonly ShownDay[]): string {
  return dayRuns(days).map(rowMarkup).join('');
}

function rowMarkup({ first, last, count }: DayRun): string {
  const span =
    count === 1
      ? dayText(last.date)
      : `${dayText(first.date)} to ${dayText(last.date)} (${count} days, figures per day)`;
  const uptime = last.uptimePercent === null ? '–' : percent(last.uptimePercent);
  return (
    `<tr><th scope="row">${span}</th>` +
    `<td><span class="state">${MARKS[last.status]}${MARK_WORDS[last.status]}</span></td>` +
    `<td class="number">${uptime}</td><td class="number">${last.incidentCount}</td>` +
    `<td>${timeWords(last) || 'up all day'}</td></tr>`
  );
}

/** For example `1 Jan 2026: 99.652%, down 5 minutes, 1 incident`. */
function dayWords(day: ShownDay): string {
  const { date, uptimePercent, incidentCount } = day;
  const incidents = incidentCount === 0 ? '' : `${incidentCount} ${incidentCount === 1 ? 'incident' : 'incidents'}`;
  const uptime = uptimePercent === null ? '' : percent(uptimePercent);
  return `${dayText(date)}: ${[uptime, timeWords(day), incidents].filter(Boolean).join(', ')}`;
}

/** Returns how long the day was in each state other than up. */
function timeWords(day: ShownDay): string {
  return kindsOf(day)
    .filter(({ kind }) => kind !== 'up')
    .map(({ kind, seconds }) => `${MARK_WORDS[kind].toLowerCase()} ${duration(seconds * 1_000)}`)
    .join(', ');
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
