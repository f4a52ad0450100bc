import { type CheckTrigger } from '../../../domain/check-result.js';
import { type CheckDto } from '../../checks/dto/check.dto.js';
import { curlLine } from '../curl.js';
import { WithCurl } from '../html/copy.js';
import { page } from '../html/layout.js';
import { Empty, Table } from '../html/table.js';
import { Time } from '../html/time.js';
import { withQuery } from '../list-query.js';
import { type PageFrame } from '../page-frame.js';
import { MONITOR_STYLES } from './assets.js';
import { CheckFacts, CheckResult } from './check-facts.js';
import { msText } from './ms-text.js';
import { type MonitorDto } from '../../monitors/dto/monitor.dto.js';
import { pathOf } from './shown-monitor.js';

const TRIGGER_WORDS: Readonly<Record<CheckTrigger, string>> = {
  schedule: 'Scheduled',
  retry: 'Re-check',
  manual: 'Manual',
  created: 'First check',
  resumed: 'After a pause or maintenance',
  heartbeat: 'Heartbeat',
};

/** A table of checks, each with a link to its details. */
export function CheckTable({ monitor, checks }: { monitor: MonitorDto; checks: readonly CheckDto[] }) {
  const isFromSeveral = (monitor.locations?.length ?? 0) > 1;
  return (
    <Table
      caption="Checks"
      compact
      columns={['When', 'Result', 'Response', 'Details', ...(isFromSeveral ? ['Location'] : []), 'Trigger']}
      rows={checks.map((check) => ({
        key: check.id,
        cells: [
          <a href={`${pathOf(monitor)}/checks/${check.id}`}>
            <Time at={check.checkedAt} seconds />
          </a>,
          <CheckResult status={check.status} />,
          check.responseTimeMs === null ? '–' : msText(check.responseTimeMs),
          <span dir="auto">{check.error?.message ?? (check.statusCode === null ? '–' : check.statusCode)}</span>,
          ...(isFromSeveral ? [check.location] : []),
          TRIGGER_WORDS[check.trigger],
        ],
      }))}
    />
  );
}

export interface CheckLogProps {
  monitor: MonitorDto;
  checks: readonly CheckDto[];
  nextCursor: string | null;
  /** Whether only failed checks are listed. */
  failed: boolean;
  isFirstPage: boolean;
}

/** Renders the checks of a monitor, newest first. */
export function renderCheckLog(
  frame: PageFrame,
  { monitor, checks, nextCursor, failed, isFirstPage }: CheckLogProps,
): string {
  const path = `${pathOf(monitor)}/checks`;
  const filter = { status: failed ? 'down' : null };
  return page(frame, {
    title: `${failed ? 'Failed checks' : 'Checks'} of ${monitor.name}`,
    section: 'Monitors',
    styles: MONITOR_STYLES,
    children: (
      <>
        <ul class="links">
          <li>
            <a href={pathOf(monitor)}>Back to the monitor</a>
          </li>
          <li>
            <a href={path} aria-current={failed ? undefined : 'page'}>
              All checks
            </a>
          </li>
          <li>
            <a href={`${path}?status=down`} aria-current={failed ? 'page' : undefined}>
              Failed checks
            </a>
          </li>
        </ul>
        {checks.length === 0 ? (
          <Empty>{failed ? 'No failed checks in the stored results.' : 'No checks yet.'}</Empty>
        ) : (
          <CheckTable monitor={monitor} checks={checks} />
        )}
        <p class="buttons">
          {!isFirstPage && <a href={withQuery(path, filter)}>Newest checks</a>}
          {nextCursor !== null && (
            <a href={withQuery(path, { ...filter, cursor: nextCursor })} rel="next">
              Older checks
            </a>
          )}
        </p>
        <WithCurl id="checks-curl" command={curlLine('GET', `${frame.origin}/v1${withQuery(path, filter)}`)} />
      </>
    ),
  });
}

/** Renders the details of a check. */
export function renderCheck(frame: PageFrame, monitor: MonitorDto, check: CheckDto): string {
  const isCurrent = check.monitorRevision === monitor.revision;
  const path = `${pathOf(monitor)}/checks/${check.id}`;
  return page(frame, {
    title: `Check of ${monitor.name}`,
    section: 'Monitors',
    mark: check.status,
    styles: MONITOR_STYLES,
    children: (
      <>
        <ul class="links">
          <li>
            <a href={pathOf(monitor)}>Back to the monitor</a>
          </li>
          <li>
            <a href={`${pathOf(monitor)}/checks`}>All checks</a>
          </li>
        </ul>
        <CheckFacts check={check} assertions={isCurrent ? monitor.assertions : null} />
        <p class="quiet">
          {TRIGGER_WORDS[check.trigger]}
          {check.attempt > 0 && `, attempt ${check.attempt + 1}`}, due <Time at={check.scheduledAt} seconds />, with the
          settings of revision {check.monitorRevision}
          {isCurrent ? '.' : `. The current revision is ${monitor.revision}.`}
        </p>
        <WithCurl id="check-curl" command={curlLine('GET', `${frame.origin}/v1${path}`)} />
      </>
    ),
  });
}
