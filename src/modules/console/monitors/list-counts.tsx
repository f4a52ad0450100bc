import { StateMark } from '../../../html/state-mark.js';
import { statusMark, statusWord } from '../../../html/status-words.js';
import { type ListMonitorsQuery } from '../../monitors/dto/list-monitors.query.js';
import { MONITOR_STATUSES, type MonitorStatus } from '../../monitors/dto/monitor.dto.js';
import { type MonitorCounts } from '../../monitors/state/monitor-counts.service.js';
import { iconPath, tabGlyph } from '../html/layout.js';
import { summaryOf } from '../overview/summary.js';
import { isNarrowed, listPath } from './list-query.js';

/** States by severity, worst first. */
const BY_GRAVITY = (['down', 'degraded', 'unknown', 'pending', 'maintenance', 'paused', 'up'] as const).filter((one) =>
  MONITOR_STATUSES.includes(one),
);

interface StateChipsProps {
  /** The current filters. */
  query: Partial<ListMonitorsQuery>;
  counts: MonitorCounts;
}

/**
 * The number of monitors in each state that match the other filters. Each is a link that adds the state to the filters or
 * removes it. The script updates those of the whole team.
 */
export function StateChips({ query, counts }: StateChipsProps) {
  const chosen = query.status ?? [];
  return (
    <ul class="chips" aria-label="Monitors by state">
      {BY_GRAVITY.map((status) => {
        const count = counts.get(status) ?? 0;
        const isChosen = chosen.includes(status);
        return (
          <li key={status} data-live-state={isNarrowed(query) ? undefined : status} hidden={count === 0 && !isChosen}>
            <a
              class="chip"
              href={listPath({ ...query, status: toggled(chosen, status) })}
              aria-current={isChosen ? 'true' : undefined}
            >
              <StateMark mark={statusMark(status)} />
              <span>
                <strong>{count.toLocaleString('en')}</strong> {statusWord(status)}
              </span>
            </a>
          </li>
        );
      })}
    </ul>
  );
}

function toggled(chosen: readonly MonitorStatus[], status: MonitorStatus): MonitorStatus[] {
  return chosen.includes(status) ? chosen.filter((one) => one !== status) : [...chosen, status];
}

/** The update that an open page receives when the counts have changed: the counts, and what the tab shows of them. */
export interface CountsUpdate {
  counts: Readonly<Record<string, number>>;
  /** The beginning of the title. */
  glyph: string;
  icon: string;
}

export function countsUpdate(counts: MonitorCounts): CountsUpdate {
  const { mark } = summaryOf(counts);
  return { counts: Object.fromEntries(counts), glyph: tabGlyph(mark), icon: iconPath(mark) };
}
