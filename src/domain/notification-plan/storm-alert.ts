import { type NotificationKind } from './facts.js';

/** How many alerts a machine gets within {@link STORM_WINDOW_MS}; beyond that, one storm alert stands for the rest. */
export const MAX_ALERTS = 20;
export const STORM_WINDOW_MS = 60_000;

/** A notification that is due on a channel that opens and closes alerts at a provider. */
export interface AlertNotification {
  key: string;
  alertKey: string;
  kind: NotificationKind;
  dueAt: number;
  /** The provider does not know the alert yet: nothing of it was sent, and it is not part of a storm. */
  opensAlert: boolean;
}

/** What a channel has sent, as far as the limit depends on it. */
export interface StormState {
  /** When the last {@link MAX_ALERTS} alerts were opened, those that joined a storm included. */
  openedAt: readonly number[];
  storm: Storm | null;
}

export interface Storm {
  /** The id of the storm alert at the provider. */
  alertKey: string;
  /** The alerts that it stands for and that have not ended. */
  open: readonly string[];
}

export type StormAction =
  /** Send the notification as it is. */
  | { action: 'send'; key: string }
  /** Do not send it; the storm alert stands for it. */
  | { action: 'join'; key: string; stormKey: string }
  | { action: 'open_storm' | 'resolve_storm'; stormKey: string };

export const CALM: StormState = { openedAt: [], storm: null };

/**
 * Decides what a channel for machines sends now. An alert is sent on its own unless {@link MAX_ALERTS} were opened in
 * the last minute; then it joins a storm alert, which the first of them opens and the end of the last one resolves.
 * Whatever follows an alert takes the same way as the alert. Alerts are on their own again as soon as fewer are opened,
 * even if the storm alert is still open.
 */
export function limitAlerts(
  now: number,
  state: StormState,
  pending: readonly AlertNotification[],
): { actions: StormAction[]; state: StormState } {
  const actions: StormAction[] = [];
  const openedAt = state.openedAt.filter((at) => at > now - STORM_WINDOW_MS);
  let storm: Storm | null = state.storm;
  const due = pending.filter(({ dueAt }) => dueAt <= now);
  due.sort((a, b) => a.dueAt - b.dueAt || (a.key < b.key ? -1 : 1));
  const opened = new Set<string>();
  for (const { key, alertKey, kind, opensAlert } of due) {
    const isOpening = kind === 'trigger' && opensAlert && !opened.has(alertKey) && !storm?.open.includes(alertKey);
    if (isOpening) {
      opened.add(alertKey);
      const isBeyond = openedAt.length >= MAX_ALERTS;
      openedAt.push(now);
      if (isBeyond) {
        if (!storm) {
          storm = { alertKey: `storm/${alertKey}`, open: [] };
          actions.push({ action: 'open_storm', stormKey: storm.alertKey });
        }
        storm = { ...storm, open: [...storm.open, alertKey] };
      }
    }
    if (!storm?.open.includes(alertKey)) {
      actions.push({ action: 'send', key });
      continue;
    }
    actions.push({ action: 'join', key, stormKey: storm.alertKey });
    if (kind !== 'resolve' && kind !== 'correction') continue;
    storm = { ...storm, open: storm.open.filter((one) => one !== alertKey) };
    if (storm.open.length > 0) continue;
    actions.push({ action: 'resolve_storm', stormKey: storm.alertKey });
    storm = null;
  }
  return { actions, state: { openedAt: openedAt.slice(-MAX_ALERTS), storm } };
}
