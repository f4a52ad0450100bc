import { type ShownDay } from './day-figures.js';
import { barsViewBox } from './day-glance.js';
import { barsMarkup, fillOf, HATCH, rowsMarkup } from './day-markup.js';
import { type Mark } from './marks.js';
import { dayText } from './time-text.js';

/** The hatching of unknown time: once a page, its bars refer to it. */
export function HatchPattern() {
  return (
    <svg class="hatch hidden" aria-hidden="true">
      <defs>
        <pattern id={HATCH} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="5" height="5" />
          <path d="M0 0v5" />
        </pattern>
      </defs>
    </svg>
  );
}

/**
 * A narrow screen has room for a month of bars, as on most public pages: ninety would be thinner than a mark of an outage
 * can be seen. The figure and the table below stay those of all days.
 */
const NARROW_DAYS = 30;

/** How wide all bars are where only the last ones are shown; the style of wide screens overrides it. */
function narrowWidth(count: number): string {
  return `${Math.round((100 * Math.max(count, NARROW_DAYS)) / NARROW_DAYS)}%`;
}

export interface DayHistoryProps {
  /** Whose days they are. */
  name: string;
  /** The figure of all of them. */
  words: string;
  days: readonly ShownDay[];
  /** The page tells the figure already. */
  isFigureElsewhere?: boolean;
}

/** Days as bars, oldest left, and as a table that anybody can open and screen readers read. */
export function DayHistory({ name, words, days, isFigureElsewhere = false }: DayHistoryProps) {
  return (
    <>
      <div class="days-shown">
        <svg
          class="bars"
          width={narrowWidth(days.length)}
          viewBox={barsViewBox(days.length)}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${days.length} days: ${words}. The table below tells them day by day.`}
          dangerouslySetInnerHTML={{ __html: barsMarkup(days) }}
        />
      </div>
      <p class="scale quiet">
        <span>
          <span class="from-wide">{dayOf(days, days.length)}</span>
          <span class="from-narrow">{dayOf(days, Math.min(days.length, NARROW_DAYS))}</span>
        </span>
        {!isFigureElsewhere && <span>{words}</span>}
        <span>Today</span>
      </p>
      <details>
        <summary>
          Day by day<span class="hidden">: {name}</span>
        </summary>
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">Day (UTC)</th>
                <th scope="col">State</th>
                <th scope="col" class="number">
                  Uptime
                </th>
                <th scope="col" class="number">
                  Incidents
                </th>
                <th scope="col">Time</th>
              </tr>
            </thead>
            <tbody dangerouslySetInnerHTML={{ __html: rowsMarkup(days) }} />
          </table>
        </div>
      </details>
    </>
  );
}

/** The first of so many days; nothing where there is but one. */
function dayOf(days: readonly ShownDay[], count: number): string {
  const first = days.at(-count);
  return first && count > 1 ? dayText(first.date) : '';
}

/** What the bars are filled with, for a legend. */
export function Swatch({ kind }: { kind: Mark }) {
  const square = `<rect ${fillOf(kind)} width="12" height="12"/>`;
  return (
    <svg class="bars swatch" viewBox="0 0 12 12" aria-hidden="true" dangerouslySetInnerHTML={{ __html: square }} />
  );
}
