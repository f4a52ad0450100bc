import {
  type AlertingFiguresDto,
  type AlertingReportDto,
  type AlertingTimesDto,
} from '../../notifications/dto/alerting-report.dto.js';
import { dateOf } from '../../../domain/utc-day.js';
import { counted } from '../../../html/counted.js';
import { curlLine } from '../curl.js';
import { WithCurl } from '../html/copy.js';
import { page } from '../html/layout.js';
import { Empty, Table } from '../html/table.js';
import { withQuery } from '../list-query.js';
import { type PageFrame } from '../page-frame.js';
import { SettingsNavigation } from '../settings/settings-navigation.js';
import { NOTIFICATION_STYLES } from './assets.js';
import { LOG_PATH, NotificationTabs, REPORT_PATH } from './notification-tabs.js';
import { countText, reportSentence, secondsText } from './report-words.js';

/** Numbers of days up to and including today. */
export const PERIODS = [7, 30, 90, 365] as const;
export const DEFAULT_DAYS = 30;

export interface ReportPeriod {
  /** Null for a period between two dates. */
  days: (typeof PERIODS)[number] | null;
}

interface ReportProps {
  report: AlertingReportDto;
  period: ReportPeriod;
}

const STAGES = [
  { figure: 'failureToConfirmed', count: 'incidentCount', label: 'Failure to confirmation', noun: 'outage' },
  { figure: 'confirmedToSent', count: 'notifiedCount', label: 'Confirmation to first alert', noun: 'alert' },
  {
    figure: 'sentToAcknowledged',
    count: 'acknowledgedCount',
    label: 'Alert to acknowledgement',
    noun: 'acknowledgement',
  },
] as const;

/** Renders how fast outages of a period reached people, in total, by policy and by channel. */
export function renderReport(frame: PageFrame, { report, period }: ReportProps): string {
  const { total, policies, channels } = report;
  const [first, last] = datesOf(report);
  return page(frame, {
    title: 'Alerting report',
    section: 'Settings',
    subNavigation: <SettingsNavigation current="Notifications" />,
    styles: NOTIFICATION_STYLES,
    children: (
      <>
        <NotificationTabs current="Alerting report" />
        <p class="lead">
          How long it took to confirm each outage, to alert someone, and to get the alert acknowledged. Covers the
          latest 10,000 outages that checks detected in the period and whose notifications are still stored.
        </p>
        <Periods first={first} last={last} days={period.days} />
        {total.incidentCount === 0 ? (
          <Empty>
            No outages started in this period. To see whether the right people would be reached, start a drill on the
            page of a <a href="/monitors">monitor</a>.
          </Empty>
        ) : (
          <>
            <p class="report-sentence">
              {reportSentence(total)}
              {total.notifiedCount < total.incidentCount && (
                <>
                  {' '}
                  <a href={withQuery(LOG_PATH, { status: 'suppressed' })}>What was not sent, and why</a>
                </>
              )}
            </p>
            <dl class="figures stages">
              {STAGES.map(({ figure, count, label, noun }) => (
                <Stage key={figure} label={label} times={total[figure]} count={total[count]} noun={noun} />
              ))}
            </dl>
            <Groups
              id="by-policy"
              title="By policy"
              column="Policy"
              groups={policies.map(({ policyId, name, ...figures }) => ({
                ...{ id: policyId, name: name ?? 'A deleted policy', figures },
                log: { policyId },
              }))}
            />
            <Groups
              id="by-channel"
              title="By channel"
              column="Channel"
              groups={channels.map(({ channelId, name, ...figures }) => ({
                ...{ id: channelId ?? 'owners', figures },
                name: name ?? (channelId === null ? 'Email to the owners' : 'A deleted channel'),
                log: channelId === null ? null : { channelId },
              }))}
            />
          </>
        )}
        <WithCurl
          id="report-curl"
          command={curlLine('GET', frame.origin + withQuery('/v1/reports/alerting', { from: first, to: last }))}
        />
      </>
    ),
  });
}

/** Returns the first and the last day of the report. */
function datesOf({ from, to }: AlertingReportDto): [string, string] {
  return [from.slice(0, 10), dateOf(Date.parse(to) - 1)];
}

function Periods({ first, last, days }: { first: string; last: string; days: ReportPeriod['days'] }) {
  return (
    <form method="get" action={REPORT_PATH} class="list-filters" aria-label="Period">
      <ul class="chips list-chips">
        {PERIODS.map((one) => (
          <li key={one}>
            <a
              class="chip"
              href={withQuery(REPORT_PATH, { days: String(one) })}
              aria-current={one === days ? 'true' : undefined}
            >
              {one} days
            </a>
          </li>
        ))}
      </ul>
      <div class="list-choices period-dates">
        <label for="report-from">From</label>
        <input id="report-from" name="from" type="date" value={first} />
        <label for="report-to">to</label>
        <input id="report-to" name="to" type="date" value={last} />
        <span class="quiet">UTC</span>
        <button class="button plain" type="submit">
          Show
        </button>
      </div>
    </form>
  );
}

function Stage({ label, times, count, noun }: { label: string; times: AlertingTimesDto; count: number; noun: string }) {
  const many = counted(countText(count), noun);
  const { medianSeconds, p95Seconds } = times;
  return (
    <div>
      <dt>{label}</dt>
      <dd>{medianSeconds === null ? '–' : secondsText(medianSeconds)}</dd>
      <dd>{p95Seconds === null || count === 1 ? many : `median of ${many}; 95% within ${secondsText(p95Seconds)}`}</dd>
    </div>
  );
}

interface Group {
  id: string;
  name: string;
  figures: AlertingFiguresDto;
  /** The filter of the delivery log that shows the notifications of the group. */
  log: Record<string, string> | null;
}

function Groups({ id, title, column, groups }: { id: string; title: string; column: string; groups: Group[] }) {
  if (groups.length === 0) return null;
  return (
    <section aria-labelledby={id} class="report-groups">
      <h2 id={id}>{title}</h2>
      <Table
        caption={title}
        columns={[column, 'Outages', 'Acknowledged', ...STAGES.map(({ label }) => label)]}
        rows={groups.map(({ id: key, name, figures, log }) => ({
          key,
          cells: [
            log === null ? (
              name
            ) : (
              <a href={withQuery(LOG_PATH, log)} dir="auto">
                {name}
              </a>
            ),
            countText(figures.incidentCount),
            countText(figures.acknowledgedCount),
            ...STAGES.map(({ figure }) => <Times key={figure} times={figures[figure]} />),
          ],
        }))}
      />
    </section>
  );
}

function Times({ times: { medianSeconds, p95Seconds } }: { times: AlertingTimesDto }) {
  if (medianSeconds === null || p95Seconds === null) return <>–</>;
  return (
    <>
      {secondsText(medianSeconds)} <span class="quiet below">95% within {secondsText(p95Seconds)}</span>
    </>
  );
}
