import { barsViewBox, glanceMarkup } from '../../../html/day-glance.js';
import { elapsedSeconds, type ShownDay } from '../../../html/day-figures.js';
import { measuredOver, uptimeFigure } from '../../../html/uptime-words.js';
import { BULK_FORM_ID } from '../operations/bulk-form.js';
import { TableHead } from '../html/table.js';
import { RelativeTime } from '../html/time.js';
import { type PageFrame } from '../page-frame.js';
import { listPath } from './list-query.js';
import { type LiveMonitor, LivePart } from './live-parts.js';
import { RowMenu } from './row-menu.js';
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

/** More tags would hide the name; the page of the monitor shows all of them. */
const TAGS_SHOWN = 2;

/** The monitors of a page, one per row. Editors can select rows and have a menu of actions at the end of each. */
export function MonitorRows({ frame, monitors, mayWrite }: MonitorRowsProps) {
  const columns = ['Monitor', 'State', 'Uptime, 90 days', 'Last response', ...(mayWrite ? ['Actions'] : [])];
  return (
    <table class="table monitors">
      <caption class="hidden">Monitors</caption>
      <TableHead columns={columns} before={mayWrite && <SelectPage />} />
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
  return (
    <tr data-monitor={monitor.id}>
      <th scope="row">
        <span class="subject">
          {mayWrite && (
            <input
              type="checkbox"
              name="id"
              value={monitor.id}
              form={BULK_FORM_ID}
              aria-label={`Select ${monitor.name}`}
            />
          )}
          <a href={pathOf(monitor)} dir="auto">
            {monitor.name}
          </a>
          <Tags tags={monitor.tags} />
        </span>
        <span class="quiet target">
          {monitor.expiresAt !== null && (
            <>
              Deleted <RelativeTime at={monitor.expiresAt} nowMs={nowMs} /> ·{' '}
            </>
          )}
          <LivePart part="about" {...live} />
        </span>
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
          <RowMenu frame={frame} monitor={monitor} />
        </td>
      )}
    </tr>
  );
}

/** Selects all rows of the page. It needs the script. */
function SelectPage() {
  return <input type="checkbox" aria-label="Select all on this page" data-select-page hidden />;
}

function Tags({ tags }: { tags: readonly string[] }) {
  const others = tags.slice(TAGS_SHOWN);
  return (
    <>
      {tags.slice(0, TAGS_SHOWN).map((tag) => (
        <a key={tag} class="tag" dir="auto" href={listPath({ tag: [tag] })}>
          {tag}
        </a>
      ))}
      {others.length > 0 && (
        <span class="tag" title={others.join(', ')}>
          +{others.length}
        </span>
      )}
    </>
  );
}

/** The days at a glance, with their figure beside them. Narrow screens show only the last 30 days. */
function History({ one }: { one: ListedMonitor }) {
  const over = measuredOver(one, elapsedSeconds(one.days));
  return (
    <span class="history">
      <span class="glance">
        <svg
          class="bars"
          viewBox={barsViewBox(one.days.length)}
          preserveAspectRatio="none"
          aria-hidden="true"
          dangerouslySetInnerHTML={{ __html: glanceMarkup(one.days) }}
        />
      </span>
      <span class="quiet share" title={over === null ? undefined : `Measured ${over}`}>
        {uptimeFigure(one)}
      </span>
    </span>
  );
}
