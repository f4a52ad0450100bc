import { includesRole } from '../../../domain/role.js';
import { StateMark } from '../../../html/state-mark.js';
import { type IncidentDto } from '../../incidents/dto/incident.dto.js';
import { type MaintenanceWindowDto } from '../../maintenance/dto/maintenance-window.dto.js';
import { type MonitorCounts } from '../../monitors/state/monitor-counts.service.js';
import { type RecentFiguresDto } from '../../overview/dto/overview.dto.js';
import { curlLine } from '../curl.js';
import { WithCurl } from '../html/copy.js';
import { Icon } from '../html/icon.js';
import { page } from '../html/layout.js';
import { State } from '../html/state.js';
import { RelativeTime, Time } from '../html/time.js';
import { Duration } from '../incidents/incident-facts.view.js';
import { incidentMark } from '../incidents/incident-words.js';
import { LIVE_SCRIPT, MONITOR_STYLES, OVERVIEW_SCRIPT, OVERVIEW_STYLE } from '../monitors/assets.js';
import { FirstMonitor } from '../monitors/first-monitor.js';
import { StateChips } from '../monitors/list-counts.js';
import { listPath } from '../monitors/list-query.js';
import { LivePart } from '../monitors/live-parts.js';
import { LiveStatus } from '../monitors/live-status.js';
import { type Unheard, UnheardMonitors } from '../monitors/nobody-notified.js';
import { pathOf } from '../monitors/shown-monitor.js';
import { type PageFrame } from '../page-frame.js';
import { attentionCount, type Wrong } from './attention.js';
import { isBeginning, NextSteps } from './next-steps.js';
import { DayFigure, RecentFigures } from './recent-figures.view.js';
import { summaryOf } from './summary.js';

export interface OverviewProps extends Unheard {
  counts: MonitorCounts;
  /** The monitors that need attention, the worst first. */
  wrong: readonly Wrong[];
  /** The newest incidents, without those of these monitors. */
  incidents: readonly IncidentDto[];
  windows: readonly MaintenanceWindowDto[];
  /** Undefined while the figures are being computed, null if they are not computed for this team. */
  recent: RecentFiguresDto | null | undefined;
  hasStatusPage: boolean;
}

/** Renders the start page: what is wrong now, who is on it, what happened, what is planned, and the figures of the week. */
export function renderOverview(frame: PageFrame, props: OverviewProps): string {
  const { counts, wrong, incidents, windows, recent, hasStatusPage, hasChannel, unheardCount } = props;
  const mayWrite = includesRole(frame.who!.role, 'editor');
  const progress = {
    monitorCount: [...counts.values()].reduce((sum, count) => sum + count, 0),
    hasResults: [...counts.keys()].some((status) => status !== 'pending' && status !== 'paused'),
    hasStatusPage,
    hasChannel,
    mayInvite: includesRole(frame.who!.role, 'owner'),
  };
  if (counts.size === 0) return renderFirst(frame, mayWrite);
  return page(frame, {
    title: 'Overview',
    section: 'Overview',
    mark: summaryOf(counts).mark,
    styles: [...MONITOR_STYLES, OVERVIEW_STYLE],
    scripts: [LIVE_SCRIPT, OVERVIEW_SCRIPT],
    tools: (
      <>
        <LiveStatus frame={frame} ids={wrong.map(({ live }) => live.monitor.id)} isFirstPage={false} also="counts" />
        <a class="button plain" href="/wall">
          <Icon name="tv" />
          Wallboard
        </a>
      </>
    ),
    action: mayWrite ? { label: 'New monitor', href: '/monitors/new' } : undefined,
    children: (
      <div class="overview" data-swap="overview" data-refresh={recent === undefined ? 'soon' : 'counts'}>
        <Hero counts={counts} recent={recent} />
        <UnheardMonitors {...{ unheardCount, hasChannel, mayWrite }} total={progress.monitorCount} />
        <div class="overview-main">
          {mayWrite && isBeginning(progress) && <NextSteps {...progress} />}
          {wrong.length > 0 && <Attention wrong={wrong} counts={counts} />}
          <Incidents {...{ incidents, wrong }} nowMs={frame.nowMs} />
        </div>
        <div class="overview-side">
          <Maintenance windows={windows} />
          <RecentFigures recent={recent} />
        </div>
        <WithCurl id="overview-curl" command={curlLine('GET', `${frame.origin}/v1/overview`)} />
      </div>
    ),
  });
}

function renderFirst(frame: PageFrame, mayWrite: boolean): string {
  return page(frame, {
    title: 'Overview',
    section: 'Overview',
    styles: MONITOR_STYLES,
    scripts: [LIVE_SCRIPT],
    action: mayWrite ? { label: 'Create your first monitor', href: '/monitors/new' } : undefined,
    children: <FirstMonitor frame={frame} mayWrite={mayWrite} />,
  });
}

function Hero({ counts, recent }: Pick<OverviewProps, 'counts' | 'recent'>) {
  const { mark, sentence } = summaryOf(counts);
  return (
    <div class={`standing ${mark} hero`}>
      <div>
        <p class="state">
          <StateMark mark={mark} />
          <strong>{sentence}</strong>
        </p>
        <StateChips query={{}} counts={counts} />
      </div>
      {recent && <DayFigure {...recent.day} />}
    </div>
  );
}

function Attention({ wrong, counts }: Pick<OverviewProps, 'wrong' | 'counts'>) {
  const shown = wrong.map(({ live }) => live.monitor);
  const all = attentionCount(shown, counts);
  return (
    <section aria-labelledby="attention">
      <h2 id="attention">Needs attention</h2>
      <ul class="entries">
        {wrong.map(({ live, incident }) => (
          <li key={live.monitor.id} data-monitor={live.monitor.id}>
            <span class="entry">
              <a href={pathOf(live.monitor)} dir="auto">
                {live.monitor.name}
              </a>
              <span class="quiet target">
                <LivePart part="about" {...live} />
              </span>
            </span>
            <span class="entry-owner quiet">{incident && <Owner incident={incident} />}</span>
            <span class="entry-state">
              <LivePart part="state" {...live} />
            </span>
          </li>
        ))}
      </ul>
      {all > shown.length && (
        <p>
          <a href={listPath({})}>Show all {all.toLocaleString('en')}</a>
        </p>
      )}
    </section>
  );
}

/** Who is working on an incident. */
function Owner({ incident: { id, acknowledgedBy } }: { incident: NonNullable<Wrong['incident']> }) {
  return acknowledgedBy === null ? (
    <a href={`/incidents/${id}`}>Not acknowledged</a>
  ) : (
    <a href={`/incidents/${id}`}>
      Acknowledged by <span dir="auto">{acknowledgedBy}</span>
    </a>
  );
}

function Incidents({ incidents, wrong, nowMs }: Pick<OverviewProps, 'incidents' | 'wrong'> & { nowMs: number }) {
  const isFirst = wrong.every(({ incident }) => incident === null);
  return (
    <section aria-labelledby="recent-incidents">
      <h2 id="recent-incidents">Recent incidents</h2>
      {incidents.length === 0 ? (
        <p class="empty">
          {isFirst
            ? 'No incidents yet. One opens automatically when an outage is confirmed.'
            : 'No other incidents yet.'}
        </p>
      ) : (
        <>
          <ul class="entries">
            {incidents.map((one) => (
              <li key={one.id}>
                <span class="entry">
                  <a href={`/incidents/${one.id}`} dir="auto">
                    {one.title}
                  </a>
                  <span class="quiet">
                    <RelativeTime at={one.startedAt} nowMs={nowMs} /> · <Duration incident={one} nowMs={nowMs} />
                  </span>
                </span>
                <span class="entry-state">
                  <State {...incidentMark(one)} />
                </span>
              </li>
            ))}
          </ul>
          <p>
            <a href="/incidents">All incidents</a>
          </p>
        </>
      )}
    </section>
  );
}

function Maintenance({ windows }: Pick<OverviewProps, 'windows'>) {
  return (
    <section aria-labelledby="next-maintenance">
      <h2 id="next-maintenance">Maintenance</h2>
      {windows.length === 0 ? (
        <p class="quiet">
          Nothing scheduled. <a href="/maintenance">Maintenance windows</a>
        </p>
      ) : (
        <ul class="entries">
          {windows.map((one) => (
            <li key={one.id}>
              <span class="entry">
                <a href={`/maintenance/${one.id}`} dir="auto">
                  {one.name}
                </a>
                <span class="quiet">
                  <WindowTime window={one} />
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function WindowTime({ window: { active, activeUntil, nextStartsAt } }: { window: MaintenanceWindowDto }) {
  if (!active) return <Time at={nextStartsAt} />;
  return (
    <span class="state">
      <StateMark mark="maintenance" />
      <span>
        In progress
        {activeUntil !== null && (
          <>
            , until <Time at={activeUntil} />
          </>
        )}
      </span>
    </span>
  );
}
