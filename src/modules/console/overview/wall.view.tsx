import { StateMark } from '../../../html/state-mark.js';
import { statusMark, statusWord } from '../../../html/status-words.js';
import { type MonitorDto } from '../../monitors/dto/monitor.dto.js';
import { type MonitorCounts } from '../../monitors/state/monitor-counts.service.js';
import { wallPage } from '../html/layout.js';
import { Ago } from '../html/time.js';
import { LIVE_SCRIPT, MONITOR_STYLES, OVERVIEW_SCRIPT, OVERVIEW_STYLE } from '../monitors/assets.js';
import { StateChips } from '../monitors/list-counts.js';
import { LiveStatus } from '../monitors/live-status.js';
import { pathOf } from '../monitors/shown-monitor.js';
import { type PageFrame } from '../page-frame.js';
import { summaryOf } from './summary.js';

export interface WallProps {
  counts: MonitorCounts;
  /** The monitors to show, the worst first. */
  monitors: readonly MonitorDto[];
}

/** Renders the overview for a screen on the wall: large, and legible from afar. */
export function renderWall(frame: PageFrame, { counts, monitors }: WallProps): string {
  const { mark, sentence } = summaryOf(counts);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return wallPage({
    title: `${frame.who!.teamName}: ${sentence}`,
    mark,
    styles: [...MONITOR_STYLES, OVERVIEW_STYLE],
    scripts: [LIVE_SCRIPT, OVERVIEW_SCRIPT],
    children: (
      <div class="wall" data-swap="overview" data-refresh="counts">
        <header class={`standing ${mark} wall-head`}>
          <h1 class="state">
            <StateMark mark={mark} />
            <span dir="auto">{sentence}</span>
          </h1>
          <StateChips query={{}} counts={counts} />
          <LiveStatus frame={frame} ids={[]} isFirstPage={false} also="counts" />
          <a href="/">Exit</a>
        </header>
        <ul class="tiles">
          {monitors.map((one) => (
            <li key={one.id} class={`tile ${statusMark(one.status)}`}>
              <a href={pathOf(one)} dir="auto">
                {one.name}
              </a>
              <span class="state">
                <StateMark mark={statusMark(one.status)} />
                {statusWord(one.status)}
                <span class="quiet">
                  <Ago at={one.statusSince} nowMs={frame.nowMs} />
                </span>
              </span>
              {one.status === 'down' && one.lastError !== null && (
                <span class="quiet target" dir="auto">
                  {one.lastError.message}
                </span>
              )}
            </li>
          ))}
        </ul>
        {total > monitors.length && (
          <p class="quiet">
            Showing the {monitors.length} worst of {total.toLocaleString('en')} monitors.
          </p>
        )}
      </div>
    ),
  });
}
