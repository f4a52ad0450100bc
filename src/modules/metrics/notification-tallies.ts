import { CHANNELS } from '../../channels/index.js';
import { BucketTally } from '../../domain/bucket-tally.js';
import { type NotificationBacklog } from '../notifications/notification-backlog.service.js';
import { type NotificationOutcome } from '../notifications/notification-outcomes.service.js';
import { familyHead, labelText } from './exposition.js';

const STATUSES = ['sent', 'failed', 'held', 'suppressed'] as const satisfies NotificationOutcome['status'][];
const DELIVERY_BOUNDS_S = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900, 3_600, 14_400, 86_400];
/** Type of notifications for no channel, or for one that no longer exists. */
const NONE = 'none';

interface TypeTally {
  byStatus: Record<NotificationOutcome['status'], number>;
  delivery: BucketTally;
}

/** Counts what becomes of notifications in this process. Known series exist from the start, at 0. */
export class NotificationTallies {
  private readonly byType = new Map<string, TypeTally>();

  constructor() {
    for (const type of [...CHANNELS.map((one) => one.type), NONE]) this.tallyOf(type);
  }

  /** Never throws. */
  take(outcomes: readonly NotificationOutcome[]): void {
    for (const { type, status, latencyMs } of outcomes) {
      const { byStatus, delivery } = this.tallyOf(type ?? NONE);
      byStatus[status] += 1;
      if (status === 'sent' && latencyMs !== undefined) delivery.observe(Math.max(0, latencyMs) / 1_000);
    }
  }

  /** Returns the metric families in the text format. */
  text(): string {
    let name = 'daywatch_notifications_total';
    let text = familyHead(name, 'counter', 'Notifications by type of channel and by each status that they reached.');
    for (const [type, { byStatus }] of this.byType) {
      for (const status of STATUSES) text += `${name}{${labelText({ type, status })}} ${byStatus[status]}\n`;
    }
    name = 'daywatch_notification_delivery_seconds';
    text += familyHead(name, 'histogram', 'Time from when a notification is due to its delivery.');
    for (const [type, { delivery }] of this.byType) text += delivery.samples(name, labelText({ type }));
    return text;
  }

  private tallyOf(type: string): TypeTally {
    let tally = this.byType.get(type);
    if (!tally) {
      tally = {
        byStatus: { sent: 0, failed: 0, held: 0, suppressed: 0 },
        delivery: new BucketTally(DELIVERY_BOUNDS_S),
      };
      this.byType.set(type, tally);
    }
    return tally;
  }
}

/** Returns what is left to plan and to send, in the text format; without samples if it is not known. */
export function backlogText(backlog: NotificationBacklog | null): string {
  const gauge = (name: string, help: string, label: string, values: Iterable<[string, number]>): string => {
    const samples = backlog ? [...values] : [];
    const lines = samples.map(([value, count]) => `${name}{${labelText({ [label]: value })}} ${count}\n`);
    return familyHead(name, 'gauge', help) + lines.join('');
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
