import { type ChannelOutcome } from '../../notifications/channel-outcomes.service.js';

/** Notifications of several channels that belong to one moment of an incident and had the same outcome. */
export interface NotificationGroup extends Pick<ChannelOutcome, 'kind' | 'step' | 'status' | 'reason'> {
  /** ISO 8601 timestamps of the first and the last of them. */
  at: string;
  lastAt: string;
  /** The number of notifications of the channel that was sent most of them. */
  rounds: number;
  /** By channel, the first to be notified first. */
  outcomes: ChannelOutcome[];
}

/** Notifications that were sent within this time are shown together. */
const SAME_MOMENT_MS = 60_000;
const STEP_KINDS: ReadonlySet<ChannelOutcome['kind']> = new Set(['trigger', 'repeat', 'notice']);

/** Returns notifications by moment, oldest first. */
export function notificationGroups(outcomes: readonly ChannelOutcome[]): NotificationGroup[] {
  const open = new Map<string, NotificationGroup>();
  const groups: NotificationGroup[] = [];
  for (const one of [...outcomes].sort((a, b) => a.firstAt.getTime() - b.firstAt.getTime())) {
    const { kind, status, reason } = one;
    // What follows an alert has the step of the alert in each channel.
    const step = STEP_KINDS.has(kind) ? one.step : 1;
    const key = [one.alertKey, kind, step, status, reason, one.collectedBy].join(' ');
    const group = open.get(key);
    if (group && isSameMoment(group, one)) {
      group.outcomes.push(one);
      group.rounds = Math.max(group.rounds, one.count);
      if (one.lastAt.getTime() > Date.parse(group.lastAt)) group.lastAt = one.lastAt.toISOString();
    } else {
      const times = { at: one.firstAt.toISOString(), lastAt: one.lastAt.toISOString() };
      const opened = { kind, step, status, reason, ...times, rounds: one.count, outcomes: [one] };
      open.set(key, opened);
      groups.push(opened);
    }
  }
  return groups;
}

/** Only what was sent has a moment of its own; when something was held back or withdrawn follows from when it was planned. */
function isSameMoment({ at, status, kind }: NotificationGroup, { firstAt }: ChannelOutcome): boolean {
  return status !== 'sent' || kind === 'repeat' || firstAt.getTime() - Date.parse(at) < SAME_MOMENT_MS;
}
