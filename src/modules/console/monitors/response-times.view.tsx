import { exact, exactDuration } from '../../../html/time-text.js';
import {
  type ChartQuery,
  type ChartTimes,
  PHASES,
  RESPONSE_RANGES,
  type ResponseRange,
} from '../../checks/response-times.types.js';
import { page } from '../html/layout.js';
import { Empty } from '../html/table.js';
import { withQuery } from '../list-query.js';
import { type PageFrame } from '../page-frame.js';
import { MONITOR_STYLES } from './assets.js';
import { PHASE_WORDS } from './check-facts.js';
import { msText } from './ms-text.js';
import { type MonitorDto } from '../../monitors/dto/monitor.dto.js';
import { pathOf } from './shown-monitor.js';

const RANGE_WORDS: Readonly<Record<ResponseRange, string>> = {
  '1h': '1 hour',
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
};

/** The response times that a page shows. */
export interface ChosenTimes extends ChartQuery {
  /** The locations to choose from; none if the monitor has only one. */
  locations: readonly { key: string; name: string }[];
}

interface ChoicesProps {
  /** The path of the page, to which the choice is added. */
  path: string;
  chosen: ChosenTimes;
}

function Choices({ path, chosen: { range, location, locations } }: ChoicesProps) {
  const at = (changes: Partial<ChartQuery>): string =>
    `${withQuery(path, { range, location, ...changes })}#response-times`;
  return (
    <div class="choices">
      <nav aria-label="Range">
        <ul class="links">
          {RESPONSE_RANGES.map((one) => (
            <li key={one}>
              <a href={at({ range: one })} aria-current={one === range ? 'page' : undefined}>
                {RANGE_WORDS[one]}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {locations.length > 0 && (
        <nav aria-label="Location">
          <ul class="links">
            {[{ key: undefined, name: 'All locations' }, ...locations].map(({ key, name }) => (
              <li key={key ?? ''}>
                <a
                  href={`${withQuery(path, { range, location: key })}#response-times`}
                  aria-current={key === location ? 'page' : undefined}
                  dir="auto"
                >
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </div>
  );
}

/** The chart, which the script draws, with a link to the same data as a table. */
export function ResponseTimes({ monitor, chosen }: { monitor: MonitorDto; chosen: ChosenTimes }) {
  const path = pathOf(monitor);
  const { range, locations } = chosen;
  // A link may name a location from which the monitor is no longer checked.
  const location = locations.some(({ key }) => key === chosen.location) ? chosen.location : undefined;
  const table = withQuery(`${path}/response-times`, { range, location });
  const isCompared = locations.length > 0 && location === undefined;
  return (
    <section aria-labelledby="response-times">
      <h2 id="response-times">Response time</h2>
      <Choices path={path} chosen={{ range, location, locations }} />
      <div
        class="chart"
        data-chart={withQuery(`${path}/response-times.json`, { range, location })}
        role="group"
        aria-label="Chart"
      >
        The chart requires JavaScript. <a href={table}>View as a table</a>
      </div>
      <p class="quiet">
        {isCompared
          ? 'Scheduled checks that passed: 50th percentile of the total at each location. '
          : 'Scheduled checks that passed: mean of each phase, stacked, and 50th and 95th percentile of the total. '}
        Outages are shaded. <a href={table}>View as a table</a>
      </p>
    </section>
  );
}

/** Renders the figures of the chart as a table, newest first. Steps without a check are left out. */
export function renderResponseTimes(
  frame: PageFrame,
  monitor: MonitorDto,
  chosen: ChosenTimes,
  times: ChartTimes,
): string {
  const columns = columnsOf(times);
  const steps = times.steps.map((step, index) => ({ ...step, index }));
  const shown = steps.filter(({ count }) => count > 0).reverse();
  return page(frame, {
    title: `Response times of ${monitor.name}`,
    section: 'Monitors',
    styles: MONITOR_STYLES,
    children: (
      <>
        <p>
          <a href={pathOf(monitor)}>Back to the monitor</a>
        </p>
        <Choices path={`${pathOf(monitor)}/response-times`} chosen={chosen} />
        {shown.length === 0 ? (
          <Empty>No scheduled checks passed in this period.</Empty>
        ) : (
          <div class="scroll" tabIndex={0} role="region" aria-labelledby="response-times">
            <table>
              <caption id="response-times">Each row covers {exactDuration(times.stepMs)}. Times are in UTC.</caption>
              <thead>
                <tr>
                  <th scope="col">From</th>
                  {['Checks', ...columns.map(({ label }) => label)].map((label, at) => (
                    <th key={at} scope="col" class="number" dir="auto">
                      {label}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {shown.map((step) => (
                  <tr key={step.fromMs}>
                    <th scope="row" class="moment">
                      {exact(step.fromMs).slice(0, 19)}
                    </th>
                    <td class="number">{step.count}</td>
                    {columns.map(({ values }, at) => (
                      <td key={at} class="number">
                        {msOrDash(values[step.index] ?? null)}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </>
    ),
  });
}

interface TimesColumn {
  label: string;
  /** One value for each step. */
  values: readonly (number | null)[];
}

/** Returns what the chart shows: the median of each location, or the percentiles and the phases that occur. */
function columnsOf({ steps, locations }: ChartTimes): TimesColumn[] {
  if (locations.length > 0) return locations.map(({ name, p50Ms }) => ({ label: `p50 ${name}`, values: p50Ms }));
  const phases = PHASES.filter((phase) => steps.some((step) => step[phase] !== null));
  return [
    { label: 'p50', values: steps.map(({ p50Ms }) => p50Ms) },
    { label: 'p95', values: steps.map(({ p95Ms }) => p95Ms) },
    ...phases.map((phase) => ({ label: PHASE_WORDS[phase], values: steps.map((step) => step[phase]) })),
  ];
}

const msOrDash = (ms: number | null): string => (ms === null ? '–' : msText(ms));
