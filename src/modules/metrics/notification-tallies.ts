import { CHANNELS } from '../../channels/index.js';
import { type NotificationBacklog } from '../notifications/notification-backlog.service.js';
import { type NotificationOutcome } from '../notifications/notification-outcomes.service.js';
import { familyHead, familyText } from './exposition.js';
import { OutcomeTallies } from './outcome-tallies.js';

const STATUSES = ['sent', 'failed', 'held', 'suppressed'] as const satisfies NotificationOutcome['status'][];
/** Type of notifications for no channel, or for one that no longer exists. */
const NONE = 'none';

/** Counts what becomes of notifications in this process. */
export class NotificationTallies {
  private readonly tallies = new OutcomeTallies(
    ['daywatch_notifications_total', 'Notifications by type of channel and by each status that they reached.'],
    ['daywatch_notification_delivery_seconds', 'Time from when a notification is due to its delivery.'],
    [...CHANNELS.map((one) => one.type), NONE],
    STATUSES,
  );

  /** Never throws. */
  take(outcomes: readonly NotificationOutcome[]): void {
    for (const outcome of outcomes) this.tallies.take({ ...outcome, type: outcome.type ?? NONE });
  }

  /** Returns the metric families in the text format. */
  text(): string {
    return this.tallies.text();
  }
}

/** Returns what is left to plan and to send, in the text format; without samples if it is not known. */
export function backlogText(backlog: NotificationBacklog | null): string {
  const gauge = (name: string, help: string, label: string, values: Iterable<[string, number]>): string => {
    const samples = backlog ? Array.from(values, ([value, count]) => [{ [label]: value }, count] as const) : [];
    return familyText(name, 'gauge', help, samples);
  };
  const { working, failing, unplanned, setAside = 0, failingChannels } = backlog ?? {};
  const byState = (of: 'pending' | 'oldestMs', scale: number): [string, number][] => [
    ['working', (working?.[of] ?? 0) / scale],
    ['failing', (failing?.[of] ?? 0) / scale],
  ];
  const name = 'daywatch_unplanned_events_oldest_seconds';
  return [
    gauge('daywatch_notifications_pending', 'Notifications that are due.', 'channels', byState('pending', 1)),
    gauge(
      'daywatch_notifications_oldest_pending_seconds',
      'How long the oldest notification has been due.',
      'channels',
      byState('oldestMs', 1_000),
    ),
    gauge('daywatch_unplanned_events', 'Events whose notifications are not planned.', 'state', [
      ['waiting', unplanned?.pending ?? 0],
      ['set_aside', setAside],
    ]),
    familyHead(name, 'gauge', 'How long the oldest event has been waiting for its notifications to be planned.'),
    backlog ? `${name} ${backlog.unplanned.oldestMs / 1_000}\n` : '',
    gauge(
      'daywatch_notification_channels_failing',
      'Enabled notification channels whose latest attempt failed.',
      'type',
      CHANNELS.map(({ type }) => [type, failingChannels?.get(type) ?? 0]),
    ),
  ].join('');
}
