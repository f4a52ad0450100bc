import { type NotificationKind } from './facts.js';

/** How long the notifications that follow a message are collected into the next one. */
export const COLLECT_MS = 30_000;

/** A notification that a channel is to send. */
export interface DueNotification {
  key: string;
  kind: NotificationKind;
  dueAt: number;
  /** The names of the monitors that it concerns. */
  monitors: readonly string[];
}

/** What happened, in the order in which a message reports it. */
export const SECTIONS = ['down', 'recovered', 'acknowledged', 'corrected', 'notice'] as const;
export type SectionName = (typeof SECTIONS)[number];

export interface Section {
  name: SectionName;
  /** The monitors that fit, oldest first. */
  named: string[];
  /** How many monitors there are in all. */
  count: number;
}

export interface CollectedMessage {
  /** The key of its first notification; with the members, it must be stored before the first attempt. */
  id: string;
  /** The keys of all notifications that it stands for. */
  members: string[];
  sections: Section[];
}

export interface Collection {
  /** What to send now; `null` if nothing is. A message of one member is an ordinary notification. */
  message: CollectedMessage | null;
  /** Until when notifications are collected; `null` if the next one leaves at once. */
  collectsUntil: number | null;
}

const SECTION_OF: Readonly<Record<NotificationKind, SectionName>> = {
  trigger: 'down',
  repeat: 'down',
  resolve: 'recovered',
  acknowledged: 'acknowledged',
  correction: 'corrected',
  notice: 'notice',
};

/**
 * Decides what a channel that people read sends now. The first notification leaves at once and opens a window of
 * {@link COLLECT_MS}; all that are due by its end form one message, which opens the next window. A storm thus sends at
 * most one message per window, and none is lost: a message counts all monitors, and names the first `maxNames` of each
 * section.
 * @param collectsUntil the value that the previous call for the channel returned
 */
export function collect(
  now: number,
  collectsUntil: number | null,
  pending: readonly DueNotification[],
  maxNames: number,
): Collection {
  if (collectsUntil !== null && now < collectsUntil) return { message: null, collectsUntil };
  const due = pending.filter(({ dueAt }) => dueAt <= now);
  due.sort((a, b) => a.dueAt - b.dueAt || (a.key < b.key ? -1 : 1));
  const [first] = due;
  if (!first) return { message: null, collectsUntil: null };
  const sections = SECTIONS.flatMap((name): Section[] => {
    const own = due.filter(({ kind }) => SECTION_OF[kind] === name);
    if (own.length === 0) return [];
    const monitors = [...new Set(own.flatMap((one) => one.monitors))];
    return [{ name, named: monitors.slice(0, maxNames), count: monitors.length }];
  });
  const message = { id: first.key, members: due.map(({ key }) => key), sections };
  return { message, collectsUntil: now + COLLECT_MS };
}
