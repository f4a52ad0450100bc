import { type AlertNotification, limitAlerts, type StormState } from './storm-alert.js';

/** What a channel for machines does next. */
export interface StormBatch {
  /** The keys of the notifications that the next message reports; empty if no message is needed. */
  members: string[];
  /** The keys of those that the open storm alert stands for, and of which nothing is sent. */
  absorbed: string[];
  /** The storm alert that the message opens or resolves, and that stands for the absorbed; null for an ordinary message. */
  stormKey: string | null;
  /** What the channel has sent once this is done. */
  state: StormState;
}

/**
 * Decides what a channel sends next, by the limit of `limitAlerts`: a single notification; a storm alert for all that
 * are due and would exceed the limit; or its end. What an open storm alert stands for is absorbed without a message.
 * @param pending in the order in which they are sent
 * @returns null if nothing is due
 */
export function nextBatch(now: number, state: StormState, pending: readonly AlertNotification[]): StormBatch | null {
  let batch: StormBatch | null = null;
  let opens = false;
  for (const one of pending.filter(({ dueAt }) => dueAt <= now)) {
    const before: StormState = batch?.state ?? state;
    const { actions, state: after } = limitAlerts(now, before, [one]);
    const does = (name: string): boolean => actions.some(({ action }) => action === name);
    if (does('send')) return batch ?? { members: [one.key], absorbed: [], stormKey: null, state: after };
    // A storm alert is opened by a message of its own, and nothing but triggers is part of it.
    if (batch !== null && (does('open_storm') || (opens && one.kind !== 'trigger'))) return batch;
    opens ||= does('open_storm');
    const stormKey: string = (after.storm ?? before.storm)!.alertKey;
    const members: string[] = batch?.members ?? [];
    const absorbed: string[] = batch?.absorbed ?? [];
    if (opens || does('resolve_storm')) members.push(one.key);
    else absorbed.push(one.key);
    batch = { members, absorbed, stormKey, state: after };
    if (does('resolve_storm')) return batch;
  }
  return batch;
}
