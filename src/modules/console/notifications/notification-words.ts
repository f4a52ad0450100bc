import { type Mark } from '../../../html/marks.js';
import { type NotificationDto } from '../../notifications/dto/notification.dto.js';

/** How a notification stands, as a mark and a word. */
export const STATUS_WORDS: Readonly<Record<NotificationDto['status'], { mark: Mark; word: string }>> = {
  pending: { mark: 'unknown', word: 'Pending' },
  held: { mark: 'paused', word: 'Held' },
  sent: { mark: 'up', word: 'Sent' },
  failed: { mark: 'down', word: 'Failed' },
  suppressed: { mark: 'excluded', word: 'Not sent' },
};

const KIND_WORDS: Readonly<Record<NotificationDto['kind'], string>> = {
  trigger: 'Alert',
  repeat: 'Reminder',
  acknowledged: 'Acknowledgement',
  resolve: 'Recovery',
  correction: 'Correction',
  notice: 'Notice',
};

type Reason = NonNullable<NotificationDto['reason']>;

/** Why a notification was not sent. */
const WHY_NOT: Readonly<Record<Reason, string>> = {
  parent_down: 'A monitor that this one depends on was down. Its alert covered this one.',
  awaiting_parent: 'The monitors that this one depends on had not been checked yet.',
  maintenance: 'The monitor was in maintenance.',
  paused: 'The monitor was paused or deleted, or had recovered when it was resumed.',
  silenced: 'A silence covered it.',
  quiet_hours: 'It was over before quiet hours ended.',
  flapping: 'The monitor was flapping, and up at that time.',
  resolved_before_step: 'The incident was over before this step was due.',
  acknowledged: 'Someone had acknowledged the incident.',
  collected: 'It was part of another message.',
  channel_disabled: 'The channel was disabled.',
  policy_disabled: 'The policy was disabled, changed or deleted.',
  no_policy: 'Nobody was notified, because no policy applies.',
};

/** What a notification waits for. */
const WAITS_FOR: Readonly<Partial<Record<Reason, string>>> = {
  parent_down: 'Waits while a monitor that this one depends on is down.',
  awaiting_parent: 'Waits for the next check of the monitors that this one depends on.',
  maintenance: 'Waits for the end of maintenance.',
  paused: 'Waits for a check that fails after the pause.',
  silenced: 'Waits for the end of a silence.',
  quiet_hours: 'Waits for the end of quiet hours.',
  flapping: 'Waits because the monitor is flapping and up at the moment.',
  acknowledged: 'Waits because someone has acknowledged the incident.',
};

/** Returns what a notification is: `Alert`, `Reminder (step 2)`. */
export function kindWords({ kind, step }: Pick<NotificationDto, 'kind' | 'step'>): string {
  const isOfLaterStep = (kind === 'trigger' || kind === 'repeat') && step > 1;
  return isOfLaterStep ? `${KIND_WORDS[kind]}, step ${step}` : KIND_WORDS[kind];
}

/** Returns why a notification waits or was not sent; null if it has no reason. */
export function reasonWords({ status, reason }: Pick<NotificationDto, 'status' | 'reason'>): string | null {
  if (reason === null) return null;
  // A collected notification is sent as a part of another one.
  if (reason === 'collected' && status !== 'suppressed') return 'Part of a message about several alerts.';
  return status === 'held' ? (WAITS_FOR[reason] ?? WHY_NOT[reason]) : WHY_NOT[reason];
}

/** Returns whether the API accepts a retry of a notification. */
export function mayRetry({ status }: Pick<NotificationDto, 'status'>): boolean {
  return status === 'failed' || status === 'pending';
}
