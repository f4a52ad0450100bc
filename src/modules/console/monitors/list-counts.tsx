import { renderToString } from 'preact-render-to-string';
import { type Mark } from '../../../html/marks.js';
import { StateMark } from '../../../html/state-mark.js';
import { statusMark, statusWord } from '../../../html/status-words.js';
import { MONITOR_STATUSES } from '../../monitors/dto/monitor.dto.js';
import { type MonitorCounts } from '../../monitors/state/monitor-counts.service.js';
import { iconPath, tabTitle } from '../html/layout.js';
import { listPath } from './list-query.js';

export const LIST_TITLE = 'Monitors';

/** States by severity, worst first. */
const BY_GRAVITY = (['down', 'degraded', 'unknown', 'pending', 'maintenance', 'paused', 'up'] as const).filter((one) =>
  MONITOR_STATUSES.includes(one),
);

/** Returns the state that the tab shows: the worst one that needs attention. */
export function overall(counts: MonitorCounts): Mark {
  return counts.has('down') ? 'down' : counts.has('degraded') ? 'degraded' : 'up';
}

/** The number of the team's monitors in each state, with links to them. The script updates it when it changes. */
export function Counts({ counts }: { counts: MonitorCounts }) {
  return (
    <ul class="counts" aria-label="Monitors by state" data-live-counts>
      <CountItems counts={counts} />
    </ul>
  );
}

function CountItems({ counts }: { counts: MonitorCounts }) {
  return (
    <>
      {BY_GRAVITY.flatMap((status) => {
        const count = counts.get(status);
        if (count === undefined) return [];
        return [
          <li key={status}>
            <a class="state" href={listPath({ status: [status] })}>
              <StateMark mark={statusMark(status)} />
              <span>
                <strong>{count.toLocaleString('en')}</strong> {statusWord(status)}
              </span>
            </a>
          </li>,
        ];
      })}
    </>
  );
}

/**
 * The update that an open list receives when the counts have changed: the items as HTML, and the contents of the tab.
 */
export interface CountsUpdate {
  html: string;
  title: string;
  icon: string;
}

export function countsUpdate(counts: MonitorCounts): CountsUpdate {
  const mark = overall(counts);
  return {
    html: renderToString(<CountItems counts={counts} />),
    title: tabTitle(LIST_TITLE, mark),
    icon: iconPath(mark),
  };
}
