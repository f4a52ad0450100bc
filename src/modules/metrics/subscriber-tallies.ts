import { type SubscriberBacklog } from '../status-pages/subscribers/subscriber-backlog.service.js';
import { type SubscriberOutcome } from '../status-pages/subscribers/subscriber-outcomes.service.js';
import { familyHead } from './exposition.js';
import { OutcomeTallies } from './outcome-tallies.js';

const TYPES = ['incident', 'maintenance', 'subscription'] as const satisfies SubscriberOutcome['type'][];
const STATUSES = ['sent', 'failed'] as const satisfies SubscriberOutcome['status'][];

/** Counts what becomes of mails to subscribers of status pages in this process. */
export function subscriberTallies(): OutcomeTallies<SubscriberOutcome['status']> {
  return new OutcomeTallies(
    ['daywatch_subscriber_notifications_total', 'Notifications to subscribers of status pages, by type and outcome.'],
    ['daywatch_subscriber_notification_delivery_seconds', 'Time from a publication to its delivery to a subscriber.'],
    TYPES,
    STATUSES,
  );
}

/** Returns what waits to be sent to subscribers, in the text format; without samples if it is not known. */
export function subscriberBacklogText(backlog: SubscriberBacklog | null): string {
  const gauge = (name: string, help: string, value: number | undefined): string =>
    familyHead(name, 'gauge', help) + (value === undefined ? '' : `${name} ${value}\n`);
  return [
    gauge(
      'daywatch_subscriber_notifications_pending',
      'Notifications that are still to be sent to subscribers of status pages.',
      backlog?.pending,
    ),
    gauge(
      'daywatch_subscriber_notifications_oldest_pending_seconds',
      'Age of the oldest notification that is still to be sent to a subscriber.',
      backlog ? backlog.oldestMs / 1_000 : undefined,
    ),
  ].join('');
}
