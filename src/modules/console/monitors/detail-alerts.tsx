import { Clock } from '../../../html/time-text.js';
import { type NotificationDto } from '../../notifications/dto/notification.dto.js';
import { type MonitorDto } from '../../monitors/dto/monitor.dto.js';
import { Labelled, SelectField, TextField } from '../html/fields.js';
import { Time } from '../html/time.js';
import { kindWords, reasonWords } from '../incidents/notification-words.js';
import { type Alerts } from './detail-alerts.service.js';
import { forecastRows, type ForecastRow, unsentRows, type UnsentRow } from './forecast.js';
import { NO_CHANNEL, NobodyNotified } from './nobody-notified.js';
import { appliedSentences, channelsWords, EVENT_CLAUSES } from './notified-words.js';
import { pathOf } from './shown-monitor.js';

interface AlertsProps {
  monitor: MonitorDto;
  alerts: Alerts;
  mayWrite: boolean;
}

const EVENTS = Object.entries(EVENT_CLAUSES).map(([value, label]) => ({ value, label }));

/** Who is notified of a monitor, and who would be at some other time. */
export function AlertsSection({ monitor, alerts, mayWrite }: AlertsProps) {
  const { applied, hasChannel, drill, form, forecast } = alerts;
  return (
    <section aria-labelledby="notified">
      <h2 id="notified">Who is notified</h2>
      {!applied.notified && (
        <NobodyNotified mayWrite={mayWrite} hasChannel={hasChannel}>
          <strong>Nobody is notified when this monitor is down.</strong> {whyNobody(alerts)}
        </NobodyNotified>
      )}
      {applied.data.length > 0 && (
        <ul class="entries">
          {applied.data.map((policy) => (
            <li key={policy.id}>
              <span class="entry">
                <strong dir="auto">{policy.name}</strong>
                <span class="quiet" dir="auto">
                  {appliedSentences(policy)}
                </span>
              </span>
              {!policy.enabled && <span class="tag">Disabled</span>}
            </li>
          ))}
        </ul>
      )}
      <details class="forecast" open={forecast !== null || form.faults.length > 0}>
        <summary>Who would be notified at a given time?</summary>
        <form method="get" action={`${pathOf(monitor)}#notified`} class="filters">
          <SelectField form={form} pointer="/event" choices={EVENTS} />
          <TextField form={form} pointer="/at" type="datetime-local" required />
          <Labelled field={{ form, pointer: '/zone' }}>
            {(control) => (
              <input
                {...control}
                autocomplete="off"
                required
                value={form.text('zone')}
                data-own-zone={!form.isSent || undefined}
              />
            )}
          </Labelled>
          <button class="button plain" type="submit">
            Show
          </button>
        </form>
        {forecast && <Answer {...forecast} />}
      </details>
      {drill && (
        <p>
          <a href={`/incidents/${drill.id}`}>A drill is in progress</a>, until <Time at={drill.endsAt} />.
        </p>
      )}
      {!drill && mayWrite && (
        <p class="buttons">
          <a class="button plain" href={`${pathOf(monitor)}/drill`}>
            Start a drill
          </a>
          <span class="quiet">Sends real notifications, marked as a drill.</span>
        </p>
      )}
    </section>
  );
}

function whyNobody({ applied, hasChannel }: Alerts): string {
  if (!hasChannel) return NO_CHANNEL;
  const enabled = applied.data.filter((policy) => policy.enabled);
  if (applied.data.length === 0) return 'No notification policy applies to this monitor.';
  if (enabled.length === 0) return 'The policies that apply to this monitor are disabled.';
  return enabled.some(({ on }) => on.includes('down'))
    ? 'The channels of the policies that apply to this monitor are disabled.'
    : 'The policies that apply to this monitor do not include outages.';
}

function Answer({ event, at, zone, preview }: NonNullable<Alerts['forecast']>) {
  const clock = new Clock(zone, Date.parse(at));
  const [rows, unsent] = [forecastRows(preview), unsentRows(preview)];
  return (
    <>
      <p>
        If it {EVENT_CLAUSES[event as keyof typeof EVENT_CLAUSES] ?? 'changes'} on{' '}
        {new Date(at).toLocaleDateString('en-GB', { weekday: 'long', timeZone: zone })}, {clock.full(Date.parse(at))},
        and nobody acknowledges it within 24 hours{rows.length === 0 && ', nobody is notified'}:
      </p>
      <ol class="entries">
        {rows.map((row) => (
          <Sent key={`${row.at} ${row.kind} ${row.step}`} row={row} clock={clock} />
        ))}
        {unsent.map((row) => (
          <Unsent key={`${row.reason} ${row.at}`} row={row} clock={clock} />
        ))}
        {rows.length + unsent.length === 0 && <li>No policy notifies anyone about this.</li>}
      </ol>
    </>
  );
}

function Sent({ row: { at, kind, step, channels, times }, clock }: { row: ForecastRow; clock: Clock }) {
  return (
    <li>
      <span class="entry">
        <span dir="auto">{channelsWords(channels)}</span>
        <span class="quiet">
          {kindWords({ kind, step })}
          {kind === 'repeat' && times > 1 && `, ${times.toLocaleString('en')} times`}
        </span>
      </span>
      <span class="entry-state">
        {kind === 'repeat' && times > 1 && 'from '}
        {clock.at(Date.parse(at))}
      </span>
    </li>
  );
}

function Unsent({ row: { reason, at, channels }, clock }: { row: UnsentRow; clock: Clock }) {
  return (
    <li>
      <span class="entry">
        {channels.length > 0 && <span dir="auto">{channelsWords(channels)}</span>}
        <span class="quiet">
          Not notified. {reasonWords({ status: 'held', reason: reason as NonNullable<NotificationDto['reason']> })}
        </span>
      </span>
      {at !== null && <span class="entry-state">until {clock.at(Date.parse(at))}</span>}
    </li>
  );
}
