import { MINUTE_MS, SECOND_MS } from '../../../domain/durations.js';
import { type Mark } from '../../../html/marks.js';
import { duration } from '../../../html/time-text.js';
import { type NotificationDto } from '../../notifications/dto/notification.dto.js';

type Reason = NonNullable<NotificationDto['reason']>;
type Named = Pick<NotificationDto, 'kind' | 'step' | 'status' | 'reason'>;

/** Why a notification waits, and why it was not sent. */
const REASONS: Readonly<Record<Reason, readonly [held: string, suppressed: string]>> = {
  parent_down: [
    'A monitor that this one depends on is down. Its alert covers this one.',
    'A monitor that this one depends on was down. Its alert covered this one.',
  ],
  awaiting_parent: [
    'Daywatch first checks the monitors that this one depends on.',
    'The incident was over before the monitors that this one depends on had been checked.',
  ],
  maintenance: ['Maintenance is in progress.', 'The incident was over before the maintenance ended.'],
  paused: [
    'The monitor was resumed, and no check has failed since.',
    'The monitor was paused or deleted before this step was due, or had recovered when it was resumed.',
  ],
  silenced: ['A silence covers the monitor.', 'The incident was over before the silence ended.'],
  quiet_hours: [
    'The quiet hours of the policy are in effect.',
    'The incident was over before the quiet hours of the policy ended.',
  ],
  flapping: ['The monitor is flapping and up at the moment.', 'The monitor was flapping, and up at that time.'],
  resolved_before_step: ['The incident is over.', 'The incident was over before this step was due.'],
  acknowledged: ['Someone has acknowledged the incident.', 'Someone had acknowledged the incident.'],
  collected: [
    'It is sent together with other notifications to this channel.',
    'Another notification to the same channel covers it.',
  ],
  channel_disabled: ['The channel is disabled.', 'The channel was disabled.'],
  policy_disabled: ['The policy is disabled.', 'The policy was disabled, changed or deleted.'],
  no_policy: ['No notification policy applies.', 'No notification policy applied to this incident.'],
};

/** Returns why a notification waits or was not sent, in a sentence; null if it has no reason. */
export function reasonWords({ status, reason }: Pick<Named, 'status' | 'reason'>): string | null {
  if (reason === null) return null;
  if (status === 'sent') return reason === 'collected' ? 'Sent in one message with other notifications.' : null;
  const [held, suppressed] = REASONS[reason];
  return status === 'suppressed' ? suppressed : held;
}

const SENT: Readonly<Record<NotificationDto['kind'], string>> = {
  trigger: 'Notified',
  repeat: 'Reminder sent',
  acknowledged: 'Acknowledgement sent',
  resolve: 'Recovery sent',
  correction: 'Correction sent',
  notice: 'Notified',
};

const KINDS: Readonly<Record<NotificationDto['kind'], string>> = {
  trigger: 'Alert',
  repeat: 'Reminder',
  acknowledged: 'Acknowledgement',
  resolve: 'Recovery',
  correction: 'Correction',
  notice: 'Notice',
};

/** Returns what a notification reports: `Alert`, or `Alert, step 2` if it belongs to a later step of a policy. */
export function kindWords({ kind, step }: Pick<Named, 'kind' | 'step'>): string {
  return kind === 'trigger' && step > 1 ? `${KINDS[kind]}, step ${step}` : KINDS[kind];
}

/** Returns the heading of notifications with the same outcome. `rounds` is how often each channel was sent one. */
export function outcomeTitle({ kind, step, status, reason }: Named, rounds: number): string {
  if (reason === 'no_policy') return 'Nobody was notified';
  const what = kindWords({ kind, step });
  switch (status) {
    case 'sent':
      if (kind === 'repeat' && rounds > 1) return `Reminder sent ${rounds.toLocaleString('en')} times`;
      if (kind !== 'trigger' || step === 1) return SENT[kind];
      return step === 0 ? 'Other channels notified' : `Escalated to step ${step}`;
    case 'pending':
      return `${what} not delivered yet`;
    case 'failed':
      return `${what} not delivered`;
    case 'held':
      return `${what} held`;
    case 'suppressed':
      return `${what} not sent`;
  }
}

/** Returns the state that an outcome resembles; `undefined` if it needs no attention. */
export function outcomeTone({ kind, status, reason }: Pick<Named, 'kind' | 'status' | 'reason'>): Mark | undefined {
  if (reason === 'no_policy' || status === 'failed') return 'down';
  if (status === 'pending') return 'degraded';
  return status === 'sent' && kind === 'resolve' ? 'up' : undefined;
}

const WORDS: Readonly<Record<NotificationDto['status'], readonly [mark: Mark, word: string]>> = {
  sent: ['up', 'Sent'],
  pending: ['degraded', 'Pending'],
  held: ['paused', 'Held'],
  failed: ['down', 'Failed'],
  suppressed: ['unknown', 'Not sent'],
};

/** Returns the outcome of one notification as a mark and words. */
export function statusWords({ status, reason }: Pick<Named, 'status' | 'reason'>): { mark: Mark; word: string } {
  const [mark, word] = WORDS[status];
  return reason === 'no_policy' ? { mark: 'down', word: 'Nobody was notified' } : { mark, word };
}

/** Returns a delay: `84 ms`, `1.2 s`, `3 minutes`. Clocks of several machines may make it negative, which counts as 0. */
export function delayWords(ms: number): string {
  const delayMs = Math.max(0, ms);
  if (delayMs < SECOND_MS) return `${Math.round(delayMs)} ms`;
  return delayMs < MINUTE_MS ? `${(delayMs / SECOND_MS).toFixed(1)} s` : duration(delayMs);
}
