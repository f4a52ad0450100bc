import { exact, exactDuration } from '../../../html/time-text.js';
import {
  PHASES,
  RESPONSE_RANGES,
  type ResponseRange,
  type ResponseTimesDto,
} from '../../checks/dto/response-times.dto.js';
import { page } from '../html/layout.js';
import { Empty } from '../html/table.js';
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

interface RangesProps {
  /** The path of the page, to which the range is added. */
  path: string;
  range: ResponseRange;
}

function Ranges({ path, range }: RangesProps) {
  return (
    <nav aria-label="Range">
      <ul class="links">
        {RESPONSE_RANGES.map((one) => (
          <li key={one}>
            <a href={`${path}?range=${one}#response-times`} aria-current={one === range ? 'page' : undefined}>
              {RANGE_WORDS[one]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The chart, which the script draws, with a link to the same data as a table. */
export function ResponseTimes({ monitor, range }: { monitor: MonitorDto; range: ResponseRange }) {
  const path = pathOf(monitor);
  const table = `${path}/response-times?range=${range}`;
  return (
    <section aria-labelledby="response-times">
      <h2 id="response-times">Response time</h2>
      <Ranges path={path} range={range} />
      <div class="chart" data-chart={`${path}/response-times.json?range=${range}`} role="group" aria-label="Chart">
        The chart requires JavaScript. <a href={table}>View as a table</a>
      </div>
      <p class="quiet">
        Scheduled checks that passed: mean of each phase, stacked, and 50th and 95th percentile of the total. Outages
        are shaded. <a href={table}>View as a table</a>
      </p>
    </section>
  );
}

/** Renders the figures of the chart as a table, newest first. Steps without a check are left out. */
export function renderResponseTimes(frame: PageFrame, monitor: MonitorDto, times: ResponseTimesDto): string {
  const steps = times.steps.filter(({ count }) => count > 0).reverse();
  const phases = PHASES.filter((phase) => steps.some((step) => step[phase] !== null));
  return page(frame, {
    title: `Response times of ${monitor.name}`,
    section: 'Monitors',
    styles: MONITOR_STYLES,
    children: (
      <>
        <p>
          <a href={pathOf(monitor)}>Back to the monitor</a>
        </p>
        <Ranges path={`${pathOf(monitor)}/response-times`} range={times.range} />
        {steps.length === 0 ? (
          <Empty>No scheduled checks passed in this period.</Empty>
        ) : (
          <div class="scroll" tabIndex={0} role="region" aria-labelledby="response-times">
            <table>
              <caption id="response-times">Each row covers {exactDuration(times.stepMs)}. Times are in UTC.</caption>
              <thead>
                <tr>
                  {['From', 'Checks', 'p50', 'p95', ...phases.map((phase) => PHASE_WORDS[phase])].map((column) => (
                    <th key={column} scope="col" class={column === 'From' ? undefined : 'number'}>
                      {column}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {steps.map((step) => (
                  <tr key={step.fromMs}>
                    <th scope="row" class="moment">
                      {exact(step.fromMs).slice(0, 19)}
                    </th>
                    <td class="number">{step.count}</td>
                    {[step.p50Ms, step.p95Ms, ...phases.map((phase) => step[phase])].map((ms, index) => (
                      <td key={index} class="number">
                        {ms === null ? '–' : msText(ms)}
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
