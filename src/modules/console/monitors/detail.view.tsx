import { includesRole } from '../../../domain/role.js';
import { DayHistory, HatchPattern } from '../../../html/day-history.js';
import { uptimeWords } from '../../../html/uptime-words.js';
import { statusMark } from '../../../html/status-words.js';
import { awaitsReports } from '../../../probes/index.js';
import { curlLine } from '../curl.js';
import { CopyBlock } from '../html/copy.js';
import { page } from '../html/layout.js';
import { type PageFrame } from '../page-frame.js';
import { type NamedMonitor } from '../picker/monitor-search.service.js';
import { CHART_SCRIPTS, CHART_STYLE, DAYS_SCRIPT, LIVE_SCRIPT, MONITOR_STYLES, OVERVIEW_STYLE } from './assets.js';
import { type Alerts } from './detail-alerts.service.js';
import { AlertsSection } from './detail-alerts.js';
import { DetailHead, DetailTools } from './detail-head.js';
import { EvidencePart } from './detail-evidence.js';
import { type Evidence } from './detail-evidence.service.js';
import { ExclusionsSection } from './exclusions/exclusion-table.js';
import { listApiPath } from './exclusions/exclusions.view.js';
import { type ShownExclusions } from './exclusions/shown-exclusions.service.js';
import { type MonitorDto } from '../../monitors/dto/monitor.dto.js';
import { LIST_PATH } from './list-query.js';
import { type LiveMonitor } from './live-parts.js';
import { type Punctuality } from '../../../domain/heartbeat/punctuality.js';
import { ReportSection } from './report.view.js';
import { type ChosenTimes, ResponseTimes } from './response-times.view.js';
import { pathOf } from './shown-monitor.js';

export interface MonitorProps {
  live: LiveMonitor;
  evidence: Evidence;
  alerts: Alerts;
  exclusions: ShownExclusions;
  /** What the monitor depends on. */
  parents: readonly NamedMonitor[];
  times: ChosenTimes;
  /** The writable fields, with masked secrets. */
  definition: object;
  /** The address to which the job reports; null for other monitors, and for people who may not see it. */
  pingUrl: string | null;
  /** What its reports say about its schedule; null for other monitors, and if there are too few. */
  punctuality: Punctuality | null;
}

const DONE: Readonly<Record<string, string>> = {
  created: 'Monitor created. Running the first check…',
  saved: 'Monitor saved.',
  paused: 'Monitor paused.',
  resumed: 'Monitor resumed. Running a check…',
  checked: 'Check finished. See its result below.',
  promised: 'Running the check. If its result does not appear below, reload the page.',
};

function doneWords(done: string, waits: boolean): string | undefined {
  if (waits && done === 'created') return 'Monitor created. Waiting for the first report.';
  return waits && done === 'resumed' ? 'Monitor resumed.' : DONE[done];
}

/** Renders the page of a monitor. */
export function renderMonitor(frame: PageFrame, props: MonitorProps): string {
  const { live, evidence, alerts, exclusions, parents, times, definition, pingUrl, punctuality } = props;
  const { monitor } = live;
  const path = pathOf(monitor);
  const quarter = evidence.figures.at(-1)!;
  const mayWrite = includesRole(frame.who!.role, 'editor');
  return page(frame, {
    title: monitor.name,
    section: 'Monitors',
    trail: [{ label: 'Monitors', href: LIST_PATH }],
    mark: statusMark(monitor.status),
    tools: <DetailTools frame={frame} live={live} mayWrite={mayWrite} />,
    done: doneWords(frame.done, awaitsReports(monitor.type)),
    styles: [...MONITOR_STYLES, OVERVIEW_STYLE, CHART_STYLE],
    form: alerts.form,
    scripts: [LIVE_SCRIPT, DAYS_SCRIPT, ...CHART_SCRIPTS],
    children: (
      <>
        <HatchPattern />
        <DetailHead live={live} parents={parents} />
        {awaitsReports(monitor.type) && <ReportSection monitor={monitor} pingUrl={pingUrl} punctuality={punctuality} />}
        <section aria-labelledby="uptime" data-monitor={monitor.id}>
          <h2 id="uptime">Uptime</h2>
          <EvidencePart part="figures" monitor={monitor} evidence={evidence} />
          <DayHistory
            name={monitor.name}
            words={uptimeWords(quarter, quarter.periodSeconds)}
            days={evidence.days}
            isFigureElsewhere
          />
        </section>
        <ResponseTimes monitor={monitor} chosen={times} />
        {evidence.locations.length > 0 && (
          <section aria-labelledby="locations" data-monitor={monitor.id}>
            <h2 id="locations">Locations</h2>
            <EvidencePart part="locations" monitor={monitor} evidence={evidence} />
          </section>
        )}
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
        <ExclusionsSection monitor={monitor} shown={exclusions} mayWrite={mayWrite} nowMs={frame.nowMs} />
        <AlertsSection monitor={monitor} alerts={alerts} mayWrite={mayWrite} />
        <details class="curl">
          <summary>API</summary>
          <div class="more">
            <CopyBlock id="monitor-curl" label="curl command" text={commandsOf(frame, monitor, mayWrite)} />
            <CopyBlock id="definition" label="definition" text={JSON.stringify(definition, null, 2)} />
          </div>
        </details>
      </>
    ),
  });
}

/** Returns the commands for what the page shows and offers. */
function commandsOf({ origin }: PageFrame, monitor: MonitorDto, mayWrite: boolean): string {
  const url = `${origin}/v1${pathOf(monitor)}`;
  const change = monitor.status === 'paused' ? 'resume' : 'pause';
  const changes = [awaitsReports(monitor.type) ? 'rotate-token' : 'checks?wait=true', change];
  return [
    curlLine('GET', url),
    curlLine('GET', `${url}/notification-policies`),
    curlLine('GET', origin + listApiPath(monitor)),
    ...(mayWrite ? changes.map((change) => curlLine('POST', `${url}/${change}`)) : []),
  ].join('\n');
}
