import { wallClock } from '../wall-clock.js';

/** The night lasts from the first hour to the last one, in the time zone of the reader. */
const NIGHT = { from: 22, to: 7 } as const;
const HOURS = 24;
/** Offsets of time zones are multiples of it, so the hour is the same for all moments of a slot. */
const SLOT_MS = 15 * 60_000;

/** A notification that would have been sent. */
export interface BacktestSend {
  channelId: string | null;
  /** Epoch milliseconds. */
  dueAt: number;
}

export interface BacktestCount {
  notifications: number;
  /** Those between 22:00 and 07:00. */
  atNight: number;
}

export interface BacktestFigures extends BacktestCount {
  /** By hour of the day, from 0 to 23. */
  byHour: number[];
  byChannel: Map<string, BacktestCount>;
}

/** Counts notifications by channel and by hour of the day in a time zone (IANA name). */
export function figuresOf(sends: readonly BacktestSend[], timezone: string): BacktestFigures {
  const figures: BacktestFigures = {
    notifications: 0,
    atNight: 0,
    byHour: Array.from({ length: HOURS }, () => 0),
    byChannel: new Map(),
  };
  const hours = new Map<number, number>();
  for (const { channelId, dueAt } of sends) {
    const slot = Math.floor(dueAt / SLOT_MS);
    const hour = hours.get(slot) ?? wallClock(slot * SLOT_MS, timezone).hour;
    hours.set(slot, hour);
    const channel = figures.byChannel.get(channelId ?? '') ?? { notifications: 0, atNight: 0 };
    figures.byChannel.set(channelId ?? '', channel);
    figures.byHour[hour]! += 1;
    for (const count of [figures, channel]) {
      count.notifications += 1;
      if (hour >= NIGHT.from || hour < NIGHT.to) count.atNight += 1;
    }
  }
  return figures;
}
