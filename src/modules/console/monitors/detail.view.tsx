import { includesRole } from '../../../domain/role.js';
import { DayHistory, HatchPattern } from '../../../html/day-history.js';
import { uptimeWords } from '../../../html/uptime-words.js';
import { statusMark } from '../../../html/status-words.js';
import { type ResponseRange } from '../../checks/dto/response-times.dto.js';
import { curlLine } from '../curl.js';
import { CopyBlock, WithCurl } from '../html/copy.js';
import { page } from '../html/layout.js';
import { type PageFrame } from '../page-frame.js';
import { CHART_SCRIPTS, CHART_STYLE, DAYS_SCRIPT, LIVE_SCRIPT, MONITOR_STYLES } from './assets.js';
import { DetailHead } from './detail-head.js';
import { EvidencePart } from './detail-evidence.js';
import { type Evidence } from './detail-evidence.service.js';
import { type LiveMonitor } from './live-parts.js';
import { ResponseTimes } from './response-times.view.js';
import { pathOf } from './shown-monitor.js';

export interface MonitorProps {
  live: LiveMonitor;
  evidence: Evidence;
  range: ResponseRange;
  /** The writable fields, with masked secrets. */
  definition: object;
}

const DONE: Readonly<Record<string, string>> = {
  created: 'The monitor is made. Its first check is on its way.',
  saved: 'The monitor is saved.',
  paused: 'The monitor is paused.',
  resumed: 'The monitor is checked again, at once.',
  promised: 'The check runs. Its result appears below; where the page is not live, once it is reloaded.',
};

/** Renders the page of a monitor. */
export function renderMonitor(frame: PageFrame, props: MonitorProps): string {
  const { live, evidence, range, definition } = props;
  const { monitor } = live;
  const path = pathOf(monitor);
  const quarter = evidence.figures.at(-1)!;
  return page(frame, {
    title: monitor.name,
    section: 'Monitors',
    mark: statusMark(monitor.status),
    done: DONE[frame.done],
    styles: [...MONITOR_STYLES, CHART_STYLE],
    scripts: [LIVE_SCRIPT, DAYS_SCRIPT, ...CHART_SCRIPTS],
    children: (
      <>
        <HatchPattern />
        <DetailHead frame={frame} live={live} mayWrite={includesRole(frame.who!.role, 'editor')} />
        <section aria-labelledby="uptime" data-monitor={monitor.id}>
          <h2 id="uptime">Uptime</h2>
          <EvidencePart part="figures" monitor={monitor} evidence={evidence} />
          <div data-days>
            <DayHistory name={monitor.name} words={uptimeWords(quarter)} days={evidence.days} isFigureElsewhere />
            <p class="quiet day" data-day aria-live="polite" />
          </div>
        </section>
        <ResponseTimes monitor={monitor} range={range} />
        <section aria-labelledby="checks" data-monitor={monitor.id}>
          <h2 id="checks">Latest checks</h2>
          <EvidencePart part="checks" monitor={monitor} evidence={evidence} />
          <p class="buttons">
            <a href={`${path}/checks`}>All checks</a>
            <a href={`${path}/checks?status=down`}>Failed checks</a>
          </p>
        </section>
        <section aria-labelledby="incidents" data-monitor={monitor.id}>
          <h2 id="incidents">Incidents</h2>
          <EvidencePart part="incidents" monitor={monitor} evidence={evidence} />
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
