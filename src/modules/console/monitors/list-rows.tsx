import { barsViewBox, glanceMarkup } from '../../../html/day-glance.js';
import { type ShownDay } from '../../../html/day-figures.js';
import { uptimeWords } from '../../../html/uptime-words.js';
import { ActionButton } from '../html/form.js';
import { TableHead } from '../html/table.js';
import { type PageFrame } from '../page-frame.js';
import { listPath } from './list-query.js';
import { type LiveMonitor, LivePart } from './live-parts.js';
import { pathOf } from './shown-monitor.js';

export interface ListedMonitor extends LiveMonitor {
  days: readonly ShownDay[];
  uptimePercent: number | null;
  observedSeconds: number;
}

export interface MonitorRowsProps {
  frame: PageFrame;
  monitors: readonly ListedMonitor[];
  mayWrite: boolean;
}

/** The monitors of a page, one per row: the first cell names the monitor, the last contains its actions. */
export function MonitorRows({ frame, monitors, mayWrite }: MonitorRowsProps) {
  const columns = ['Monitor', 'State', '90 days', 'Last response', ...(mayWrite ? ['Actions'] : [])];
  return (
    <table class="table monitors">
      <caption class="hidden">Monitors</caption>
      <TableHead columns={columns} />
      <tbody>
        {monitors.map((one) => (
          <MonitorRow key={one.monitor.id} frame={frame} one={one} mayWrite={mayWrite} />
        ))}
      </tbody>
    </table>
  );
}

function MonitorRow({ frame, one, mayWrite }: { frame: PageFrame; one: ListedMonitor; mayWrite: boolean }) {
  const { monitor, latest, nowMs } = one;
  const live = { monitor, latest, nowMs };
  const { tags } = monitor;
  return (
    <tr data-monitor={monitor.id}>
      <th scope="row">
        <a href={pathOf(monitor)} dir="auto">
          {monitor.name}
        </a>
        <span class="quiet target">
          <LivePart part="about" {...live} />
        </span>
        {tags.length > 0 && (
          <span class="tags">
            {tags.map((tag) => (
              <a key={tag} class="tag" dir="auto" href={listPath({ tag: [tag] })}>
                {tag}
              </a>
            ))}
          </span>
        )}
      </th>
      <td>
        <LivePart part="state" {...live} />
      </td>
      <td>
        <History one={one} />
      </td>
      <td data-label="Last response">
        <LivePart part="last" {...live} />
      </td>
      {mayWrite && (
        <td>
          <RowActions frame={frame} one={one} />
        </td>
      )}
    </tr>
  );
}

/** The days at a glance, with their figure below. Narrow screens show only the last 30 days. */
function History({ one }: { one: ListedMonitor }) {
  return (
    <>
      <span class="glance">
        <svg
          class="bars"
          viewBox={barsViewBox(one.days.length)}
          preserveAspectRatio="none"
          aria-hidden="true"
          dangerouslySetInnerHTML={{ __html: glanceMarkup(one.days) }}
        />
      </span>
      <span class="quiet">{uptimeWords(one)}</span>
    </>
  );
}

function RowActions({ frame, one: { monitor } }: { frame: PageFrame; one: ListedMonitor }) {
  const path = pathOf(monitor);
  const name = monitor.name;
  return (
    <div class="buttons">
      {monitor.status === 'paused' ? (
        <ActionButton frame={frame} action={`${path}/resume`} label="Resume" about={name} />
      ) : (
        <a href={`${path}/pause`}>
          Pause<span class="hidden"> {name}</span>
        </a>
      )}
      <a href={`${path}/edit`}>
        Edit<span class="hidden"> {name}</span>
      </a>
    </div>
  );
}
