import { includesRole } from '../../../domain/role.js';
import { DayHistory, HatchPattern } from '../../../html/day-history.js';
import { type ShownDay } from '../../../html/day-figures.js';
import { uptimeWords } from '../../../html/uptime-words.js';
import { statusMark } from '../../../html/status-words.js';
import { type CheckDto } from '../../checks/dto/check.dto.js';
import { type ResponseRange } from '../../checks/dto/response-times.dto.js';
import { type IncidentDto } from '../../incidents/dto/incident.dto.js';
import { curlLine } from '../curl.js';
import { CopyBlock, WithCurl } from '../html/copy.js';
import { page } from '../html/layout.js';
import { Empty } from '../html/table.js';
import { type PageFrame } from '../page-frame.js';
import {
  CHART_SCRIPT_PATHS,
  CHART_STYLE_PATH,
  DAYS_SCRIPT_PATH,
  LIVE_SCRIPT_PATH,
  MONITORS_STYLE_PATH,
} from './assets.js';
import { CheckTable } from './checks.view.js';
import { DetailHead } from './detail-head.js';
import { IncidentTable } from './detail-incidents.js';
import { type PeriodFigure } from './figures.js';
import { type LiveMonitor } from './live-parts.js';
import { ResponseTimes } from './response-times.view.js';
import { nameOf, pathOf } from './shown-monitor.js';

export interface MonitorProps {
  live: LiveMonitor;
  days: readonly ShownDay[];
  figures: readonly PeriodFigure[];
  checks: readonly CheckDto[];
  incidents: readonly IncidentDto[];
  range: ResponseRange;
  /** The writable fields, secrets masked. */
  definition: object;
}

const DONE: Readonly<Record<string, string>> = {
  created: 'The monitor is made. Its first check is on its way.',
  saved: 'The monitor is saved.',
  paused: 'The monitor is paused.',
  resumed: 'The monitor is checked again, at once.',
  promised: 'The check runs. Its result appears below; reload the page.',
};

/** All that is known of one monitor. */
export function renderMonitor(frame: PageFrame, props: MonitorProps): string {
  const { live, days, figures, checks, incidents, range, definition } = props;
  const { monitor } = live;
  const path = pathOf(monitor);
  const quarter = figures.at(-1)!;
  return page(frame, {
    title: nameOf(monitor),
    section: 'Monitors',
    mark: statusMark(monitor.status),
    done: DONE[frame.done],
    styles: [MONITORS_STYLE_PATH, CHART_STYLE_PATH],
    scripts: [LIVE_SCRIPT_PATH, DAYS_SCRIPT_PATH, ...CHART_SCRIPT_PATHS],
    children: (
      <>
        <HatchPattern />
        <DetailHead frame={frame} live={live} mayWrite={includesRole(frame.who!.role, 'editor')} />
        <section aria-labelledby="uptime">
          <h2 id="uptime">Uptime</h2>
          <Figures figures={figures} />
          <div data-days>
            <DayHistory name={nameOf(monitor)} words={uptimeWords(quarter)} days={days} />
            <p class="quiet day" data-day aria-live="polite" />
          </div>
        </section>
        <ResponseTimes monitor={monitor} range={range} />
        <section aria-labelledby="checks">
          <h2 id="checks">Latest checks</h2>
          {checks.length === 0 ? (
            <Empty>There are no checks yet.</Empty>
          ) : (
            <CheckTable monitor={monitor} checks={checks} />
          )}
          <p class="buttons">
            <a href={`${path}/checks`}>All checks</a>
            <a href={`${path}/checks?status=down`}>Failed checks</a>
          </p>
        </section>
        <section aria-labelledby="incidents">
          <h2 id="incidents">Incidents</h2>
          {incidents.length === 0 ? (
            <Empty>
              None so far. One opens by itself when the monitor is down for sure, and closes when it is up again.
            </Empty>
          ) : (
            <IncidentTable incidents={incidents} nowMs={frame.nowMs} />
          )}
        </section>
        <details>
          <summary>The definition as JSON</summary>
          <CopyBlock id="definition" label="definition" text={JSON.stringify(definition, null, 2)} />
        </details>
        <WithCurl id="monitor-curl" command={curlLine('GET', `${frame.origin}/v1${path}`)} />
      </>
    ),
  });
}

function Figures({ figures }: { figures: readonly PeriodFigure[] }) {
  return (
    <dl class="figures">
      {figures.map((figure) => (
        <div key={figure.label}>
          <dt>{figure.label}</dt>
          <dd>{uptimeWords(figure)}</dd>
        </div>
      ))}
    </dl>
  );
}
