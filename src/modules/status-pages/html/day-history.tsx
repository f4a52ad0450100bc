import { type PublicComponentDto, type PublicDayDto } from '../dto/public-page.dto.js';
import { BAR_HEIGHT, BAR_STEP, barsMarkup, fillOf, gapOf, HATCH, rowsMarkup } from './day-markup.js';
import { type Mark, uptimeWords } from './page-words.js';
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

/** A component's days as bars, oldest left, and as a table that anybody can open and screen readers read. */
export function DayHistory({ component, days }: { component: PublicComponentDto; days: readonly PublicDayDto[] }) {
  const words = uptimeWords(component);
  const [first] = days;
  return (
    <>
      <svg
        class="bars"
        viewBox={`0 0 ${days.length * BAR_STEP - gapOf(days.length)} ${BAR_HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${days.length} days: ${words}. The table below tells them day by day.`}
        dangerouslySetInnerHTML={{ __html: barsMarkup(days) }}
      />
      <p class="scale quiet">
        <span>{first && days.length > 1 ? dayText(first.date) : ''}</span>
        <span>{words}</span>
        <span>Today</span>
      </p>
      <details>
        <summary>
          Day by day<span class="hidden">: {component.name}</span>
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
                  Outages
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

/** What the bars are filled with, for a legend. */
export function Swatch({ kind }: { kind: Mark }) {
  const square = `<rect ${fillOf(kind)} width="12" height="12"/>`;
  return (
    <svg class="bars swatch" viewBox="0 0 12 12" aria-hidden="true" dangerouslySetInnerHTML={{ __html: square }} />
  );
}
