import { includesRole } from '../../../domain/role.js';
import { type EventDto } from '../../events/dto/event.dto.js';
import { type NotificationChannelDto } from '../../notification-channels/dto/notification-channel.dto.js';
import { type NotificationDto } from '../../notifications/dto/notification.dto.js';
import { eventWords, pathOfResource } from '../audit-log/event-words.js';
import { curlLine } from '../curl.js';
import { type FormState } from '../form-state.js';
import { WithCurl } from '../html/copy.js';
import { ActionButton } from '../html/form.js';
import { page } from '../html/layout.js';
import { State } from '../html/state.js';
import { Empty, Table } from '../html/table.js';
import { RelativeTime, Time } from '../html/time.js';
import { withQuery } from '../list-query.js';
import { FILTERS_SCRIPT } from '../monitors/assets.js';
import { type PageFrame } from '../page-frame.js';
import { MonitorLinks } from '../picker/monitor-links.js';
import { type NamedMonitor } from '../picker/monitor-search.service.js';
import { SettingsNavigation } from '../settings/settings-navigation.js';
import { NOTIFICATION_STYLES } from './assets.js';
import { Attempts } from './attempts.view.js';
import { LogFilters, type LogPlace } from './log-filters.view.js';
import { LOG_PATH, NotificationTabs } from './notification-tabs.js';
import { kindWords, mayRetry, reasonWords, STATUS_WORDS } from './notification-words.js';

/** What the notifications of a page refer to, by id, as far as it still exists. */
export interface LogNames {
  incidents: ReadonlyMap<string, string>;
  /** The events that opened alerts without an incident. */
  events: ReadonlyMap<string, EventDto>;
  monitors: ReadonlyMap<string, NamedMonitor>;
}

export interface LogProps {
  notifications: readonly NotificationDto[];
  nextCursor: string | null;
  place: LogPlace;
  channels: readonly NotificationChannelDto[];
  names: LogNames;
  /** The refused retry, if one was refused. */
  form?: FormState;
}

/** More monitors are counted. */
const MAX_NAMED = 2;

const DONE: Readonly<Record<string, string>> = {
  retried: 'The notification is being sent again. Reload the page to see the result.',
};

/** Renders what was sent, what waits and what was not sent, newest first. */
export function renderLog(frame: PageFrame, props: LogProps): string {
  const { notifications, nextCursor, place, channels, form } = props;
  const { cursor: _, ...filters } = place;
  return page(frame, {
    title: 'Delivery log',
    section: 'Settings',
    subNavigation: <SettingsNavigation current="Notifications" />,
    done: DONE[frame.done],
    form,
    styles: NOTIFICATION_STYLES,
    scripts: [FILTERS_SCRIPT],
    children: (
      <>
        <NotificationTabs current="Delivery log" />
        <p class="lead">Notifications that were sent, are waiting, or were not sent, with the reason. Newest first.</p>
        <LogFilters place={place} channels={channels} />
        <div class="results" data-swap="results">
          {notifications.length === 0 ? (
            <Empty>{emptyWords(place)}</Empty>
          ) : (
            <div class="log">
              <Table
                caption="Notifications"
                columns={['Notification', 'Channel', 'Status', 'When', 'Attempts']}
                rows={notifications.map((one) => ({ key: one.id, cells: cellsOf(frame, one, props) }))}
              />
            </div>
          )}
          {nextCursor !== null && (
            <p>
              <a href={withQuery(LOG_PATH, { ...place, cursor: nextCursor })}>Older notifications</a>
            </p>
          )}
          <WithCurl
            id="notifications-curl"
            command={curlLine('GET', frame.origin + withQuery('/v1/notifications', filters))}
          />
        </div>
      </>
    ),
  });
}

function emptyWords(place: LogPlace): string {
  return Object.values(place).some((one) => one !== undefined)
    ? 'No notifications match these filters.'
    : 'No notifications yet. Every alert is listed here, whether or not it was sent.';
}

function cellsOf(frame: PageFrame, notification: NotificationDto, props: LogProps) {
  const { status, createdAt, sentAt, attempts } = notification;
  const { mark, word } = STATUS_WORDS[status];
  const reason = reasonWords(notification);
  return [
    <>
      <span class="log-about">
        {kindWords(notification)}: <About notification={notification} names={props.names} />
      </span>
      <Affected notification={notification} names={props.names} />
    </>,
    <ChannelName id={notification.channelId} channels={props.channels} />,
    <>
      <State mark={mark} word={word} />
      {reason !== null && <span class="quiet below">{reason}</span>}
      <Next notification={notification} nowMs={frame.nowMs} />
    </>,
    <>
      <RelativeTime at={sentAt ?? createdAt} nowMs={frame.nowMs} />
      <span class="quiet below">
        <Time at={sentAt ?? createdAt} seconds />
      </span>
    </>,
    <>
      <Attempts attempts={attempts} />
      {mayRetry(notification) && includesRole(frame.who!.role, 'editor') && (
        <ActionButton
          frame={frame}
          action={withQuery(`${LOG_PATH}/${notification.id}/retry`, { ...props.place, cursor: undefined })}
          label={attempts.length === 0 ? 'Send now' : 'Try again'}
          about={kindWords(notification)}
        />
      )}
    </>,
  ];
}

/** The subject of a notification: its incident, or the resource of its event. */
function About({ notification, names }: { notification: NotificationDto; names: LogNames }) {
  const { incidentId, eventId } = notification;
  if (incidentId !== null) {
    const title = names.incidents.get(incidentId);
    if (title === undefined) return <>a deleted incident</>;
    return (
      <a href={`/incidents/${incidentId}`} dir="auto">
        {title}
      </a>
    );
  }
  const event = names.events.get(eventId);
  if (!event) return <>an event that is no longer stored</>;
  const path = pathOfResource(event);
  const name = event.resource.name ?? event.resource.id;
  return (
    <>
      {path === null ? (
        <bdi>{name}</bdi>
      ) : (
        <a href={path} dir="auto">
          {name}
        </a>
      )}
      , {eventWords(event).toLowerCase()}
    </>
  );
}

/** The monitors of an incident. */
function Affected({
  notification: { incidentId, monitorIds },
  names,
}: {
  notification: NotificationDto;
  names: LogNames;
}) {
  if (incidentId === null || monitorIds.length === 0) return null;
  const named = monitorIds.slice(0, MAX_NAMED).map((id) => names.monitors.get(id) ?? { id, name: null });
  const more = monitorIds.length - named.length;
  return (
    <span class="quiet below">
      <MonitorLinks monitors={named} none="" />
      {more > 0 && ` and ${more} more`}
    </span>
  );
}

function ChannelName({ id, channels }: { id: string | null; channels: LogProps['channels'] }) {
  if (id === null) return <>Nobody</>;
  const name = channels.find((one) => one.id === id)?.name;
  if (name === undefined) return <>A deleted channel</>;
  return <span dir="auto">{name}</span>;
}

function Next({ notification: { status, nextAttemptAt }, nowMs }: { notification: NotificationDto; nowMs: number }) {
  if (nextAttemptAt === null || Date.parse(nextAttemptAt) <= nowMs) return null;
  return (
    <span class="quiet below">
      {status === 'held' ? 'Due' : 'Next attempt'} <RelativeTime at={nextAttemptAt} nowMs={nowMs} />
    </span>
  );
}
