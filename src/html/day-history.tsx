import { type ShownDay } from './day-figures.js';
import { barsViewBox } from './day-glance.js';
import { barsMarkup, fillOf, HATCH, rowsMarkup } from './day-markup.js';
import { type Mark } from './marks.js';
import { Day } from './day.js';

/** The hatching of unknown time. Included once per page, because its bars refer to it. */
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
 * A narrow screen shows a month of bars, as most public pages do: with ninety, the marks of outages would be too thin
 * to see. The figure and the table below still cover all days, which is stated beside the figure.
 */
const NARROW_DAYS = 30;

/** Returns the width of all bars if only the last ones are visible. The style for wide screens overrides it. */
function narrowWidth(count: number): string {
  return `${Math.round((100 * Math.max(count, NARROW_DAYS)) / NARROW_DAYS)}%`;
}

export interface DayHistoryProps {
  /** The name of the component the days belong to. */
  name: string;
  /** The overall figure, in words. */
  words: string;
  days: readonly ShownDay[];
  /** Whether the page shows the figure elsewhere. */
  isFigureElsewhere?: boolean;
}

/**
 * Days as bars, oldest on the left, and as an expandable table, which screen readers read. The script `days.js` shows
 * the figures of a day in a tooltip at once.
 */
export function DayHistory({ name, words, days, isFigureElsewhere = false }: DayHistoryProps) {
  return (
    <div data-days>
      <div class="days-shown">
        <svg
          class="bars"
          width={narrowWidth(days.length)}
          viewBox={barsViewBox(days.length)}
          preserveAspectRatio="none"
          role="img"
          aria-label={`Uptime, last ${days.length} days: ${words}. The table below lists each day.`}
          dangerouslySetInnerHTML={{ __html: barsMarkup(days) }}
        />
      </div>
      <p class="scale quiet">
        <span>
          <span class="from-wide">
            <FirstDay days={days} />
          </span>
          <span class="from-narrow">
            <FirstDay days={days.slice(-NARROW_DAYS)} />
          </span>
        </span>
        <span>
          {!isFigureElsewhere && `Uptime: ${words}`}
          {days.length > NARROW_DAYS && (
            <span class="from-narrow">
              {isFigureElsewhere
                ? `Last ${NARROW_DAYS} of ${days.length} days`
                : ` (${days.length} days; bars: last ${NARROW_DAYS})`}
            </span>
          )}
        </span>
        <span>Today</span>
      </p>
      <details>
        <summary>
          Daily history<span class="hidden">: {name}</span>
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
                <th scope="col">Breakdown</th>
              </tr>
            </thead>
            <tbody dangerouslySetInnerHTML={{ __html: rowsMarkup(days) }} />
          </table>
        </div>
      </details>
    </div>
  );
}

/** The first of several days; nothing for a single one. */
function FirstDay({ days: [first, second] }: { days: readonly ShownDay[] }) {
  return first && second ? <Day date={first.date} /> : null;
}

/** The fill of the bars of a kind, for a legend. */
export function Swatch({ kind }: { kind: Mark }) {
  const square = `<rect ${fillOf(kind)} width="12" height="12"/>`;
  return (
    <svg class="bars swatch" viewBox="0 0 12 12" aria-hidden="true" dangerouslySetInnerHTML={{ __html: square }} />
  );
}
