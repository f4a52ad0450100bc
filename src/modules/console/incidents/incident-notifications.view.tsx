import { type IncidentDto } from '../../incidents/dto/incident.dto.js';
import { type NotificationDto } from '../../notifications/dto/notification.dto.js';
import { curlLine } from '../curl.js';
import { WithCurl } from '../html/copy.js';
import { page } from '../html/layout.js';
import { State } from '../html/state.js';
import { Empty, Table } from '../html/table.js';
import { Time } from '../html/time.js';
import { withQuery } from '../list-query.js';
import { type PageFrame } from '../page-frame.js';
import { INCIDENT_STYLES } from './assets.js';
import { notificationsPath } from './incident-notified.view.js';
import { INCIDENTS_PATH } from './incidents.view.js';
import { kindWords, reasonWords, statusWords } from './notification-words.js';

interface IncidentNotificationsProps {
  incident: IncidentDto;
  /** Newest first. */
  notifications: readonly NotificationDto[];
  /** The names of the channels by id; deleted ones are missing. */
  names: ReadonlyMap<string, string>;
  nextCursor: string | null;
  isFirstPage: boolean;
}

/** Renders the list of everything that was sent about an incident, and of what was not. */
export function renderIncidentNotifications(frame: PageFrame, props: IncidentNotificationsProps): string {
  const { incident, notifications, names, nextCursor, isFirstPage } = props;
  const incidentPath = `${INCIDENTS_PATH}/${incident.id}`;
  const path = notificationsPath(incidentPath);
  return page(frame, {
    title: 'Notifications',
    section: 'Incidents',
    trail: [
      { label: 'Incidents', href: INCIDENTS_PATH },
      { label: incident.title, href: incidentPath },
    ],
    styles: INCIDENT_STYLES,
    children: (
      <>
        {notifications.length === 0 ? (
          <Empty>{isFirstPage ? 'No notifications about this incident.' : 'No more notifications.'}</Empty>
        ) : (
          <Table
            caption="Notifications, newest first"
            columns={['Channel', 'Notification', 'Outcome', 'Time']}
            rows={notifications.map((one) => ({ key: one.id, cells: cellsOf(one, names) }))}
          />
        )}
        {(nextCursor !== null || !isFirstPage) && (
          <nav class="pages buttons" aria-label="Pagination">
            {!isFirstPage && (
              <a class="button plain small" href={path}>
                First page
              </a>
            )}
            {nextCursor !== null && (
              <a class="button plain small" href={withQuery(path, { cursor: nextCursor })} rel="next">
                Next page
              </a>
            )}
          </nav>
        )}
        <WithCurl id="notifications-curl" command={curlLine('GET', `${frame.origin}/v1${path}`)} />
      </>
    ),
  });
}

function cellsOf(notification: NotificationDto, names: IncidentNotificationsProps['names']) {
  const { channelId, createdAt, sentAt, attempts } = notification;
  const why = reasonWords(notification) ?? (sentAt === null ? (attempts.at(-1)?.error ?? null) : null);
  const name = channelId === null ? '–' : (names.get(channelId) ?? 'A deleted channel');
  return [
    <span dir="auto">{name}</span>,
    kindWords(notification),
    <>
      <State {...statusWords(notification)} />
      {why !== null && (
        <span class="quiet why" dir="auto">
          {why}
        </span>
      )}
    </>,
    <Time at={sentAt ?? attempts.at(-1)?.at ?? createdAt} seconds />,
  ];
}
