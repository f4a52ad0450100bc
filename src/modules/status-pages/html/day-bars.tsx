import { type PublicComponentDto, type PublicDayDto } from '../dto/public-page.dto.js';
import { barParts, dayRuns, type DayRun, secondsOf } from './day-figures.js';
import { MARK_WORDS, type Mark, percent, uptimeWords } from './page-words.js';
import { StateMark } from './state-mark.js';
import { dayText, duration } from './time-text.js';

const HEIGHT = 36;
/** Of a day's bar with the gap to the next one. */
const STEP = 10;
const BAR = 8;
const HATCH = 'unknown-hatch';

/** How time is told for each kind beside the percentage. */
const TOLD: readonly [Mark, string][] = [
  ['down', 'down'],
  ['degraded', 'degraded'],
  ['maintenance', 'maintenance'],
  ['paused', 'paused'],
  ['excluded', 'not counted'],
  ['unknown', 'no data'],
];

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
  return (
    <>
      <svg
        class="bars"
        viewBox={`0 0 ${days.length * STEP - (STEP - BAR)} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${days.length} days: ${words}. The table below tells them day by day.`}
      >
        {days.map((day, index) => (
          <Bar key={day.date} day={day} x={index * STEP} />
        ))}
      </svg>
      <p class="scale quiet">
        <span>{days.length === 1 ? 'Today' : `${days.length} days`}</span>
        <span>{words}</span>
        <span>{days.length === 1 ? '' : 'Today'}</span>
      </p>
      <details>
        <summary>
          Day by day<span class="hidden">: {component.name}</span>
        </summary>
        <DayTable days={days} />
      </details>
    </>
  );
}

function Bar({ day, x }: { day: PublicDayDto; x: number }) {
  return (
    <g>
      <title>{dayWords(day)}</title>
      {barParts(day).map(({ kind, from, share }) => (
        <rect
          key={kind}
          class={kind === 'unknown' ? undefined : kind}
          fill={kind === 'unknown' ? `url(#${HATCH})` : undefined}
          x={x}
          y={round(HEIGHT * (1 - from - share))}
          width={BAR}
          height={round(HEIGHT * share)}
        />
      ))}
    </g>
  );
}

function DayTable({ days }: { days: readonly PublicDayDto[] }) {
  return (
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
        <tbody>
          {dayRuns(days).map((run) => (
            <RunRow key={run.last.date} run={run} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function RunRow({ run: { first, last, count } }: { run: DayRun }) {
  const span =
    count === 1 ? dayText(last.date) : `${dayText(first.date)} to ${dayText(last.date)} (${count} days, each)`;
  return (
    <tr>
      <th scope="row">{span}</th>
      <td>
        <span class="state">
          <StateMark mark={last.status} />
          {MARK_WORDS[last.status]}
        </span>
      </td>
      <td class="number">{last.uptimePercent === null ? '–' : percent(last.uptimePercent)}</td>
      <td class="number">{last.incidentCount}</td>
      <td>{timeWords(last) || 'up all the time'}</td>
    </tr>
  );
}

/** `1 Jan 2026: 99.652 %, down 5 minutes, 1 outage`. */
function dayWords(day: PublicDayDto): string {
  const { date, uptimePercent, incidentCount } = day;
  const outages = incidentCount === 0 ? '' : `${incidentCount} ${incidentCount === 1 ? 'outage' : 'outages'}`;
  const uptime = uptimePercent === null ? '' : percent(uptimePercent);
  return `${dayText(date)}: ${[uptime, timeWords(day), outages].filter(Boolean).join(', ')}`;
}

/** How long the day was anything but up. */
function timeWords(day: PublicDayDto): string {
  return TOLD.filter(([kind]) => secondsOf(day, kind) > 0)
    .map(([kind, word]) => `${word} ${duration(secondsOf(day, kind) * 1_000)}`)
    .join(', ');
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
