import { NOTIFICATIONS_PATH } from './channel-form.js';

export const SILENCES_PATH = `${NOTIFICATIONS_PATH}/silences`;
export const LOG_PATH = `${NOTIFICATIONS_PATH}/log`;
export const REPORT_PATH = `${NOTIFICATIONS_PATH}/report`;

const TABS = [
  { name: 'Channels and policies', href: NOTIFICATIONS_PATH },
  { name: 'Silences', href: SILENCES_PATH },
  { name: 'Delivery log', href: LOG_PATH },
  { name: 'Alerting report', href: REPORT_PATH },
] as const;

/** Links between the pages of notifications. */
export function NotificationTabs({ current }: { current: (typeof TABS)[number]['name'] }) {
  return (
    <nav aria-label="Notifications">
      <ul class="chips">
        {TABS.map(({ name, href }) => (
          <li key={name}>
            <a class="chip" href={href} aria-current={name === current ? 'page' : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
