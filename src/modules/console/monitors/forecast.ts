import { Temporal } from 'temporal-polyfill';
import { instant, localText, wallClock } from '../../../domain/wall-clock.js';
import { type NotifiedChannelDto } from '../../notification-policies/dto/monitor-policy.dto.js';
import {
  type NotificationPreviewDto,
  type PreviewedNotificationDto,
} from '../../notification-policies/dto/preview.dto.js';

/** Notifications that would be sent at one moment; repeats, with the number of them. */
export interface ForecastRow extends Pick<PreviewedNotificationDto, 'at' | 'kind' | 'step'> {
  channels: NotifiedChannelDto[];
  times: number;
}

/** Notifications that would not be sent, or not within the period, for the same reason. */
export interface UnsentRow {
  reason: string;
  /** When they would be sent at the earliest; null if never. */
  at: string | null;
  channels: NotifiedChannelDto[];
}

/** Returns what would be sent, by moment, the earliest first. All repeats of a policy are one row. */
export function forecastRows({ notifications }: NotificationPreviewDto): ForecastRow[] {
  const rows = new Map<string, ForecastRow & { moments: Set<string> }>();
  for (const { at, kind, step, policyId, channel } of notifications) {
    const key = kind === 'repeat' ? [kind, step, policyId].join() : [kind, step, at].join();
    const row = rows.get(key) ?? { at, kind, step, channels: [], times: 0, moments: new Set() };
    if (!row.channels.some(({ id }) => id === channel.id)) row.channels.push(channel);
    row.times = row.moments.add(at).size;
    rows.set(key, row);
  }
  return [...rows.values()].map(({ moments: _, ...row }) => row);
}

/** Returns what would not be sent, by reason. */
export function unsentRows({ unsent }: NotificationPreviewDto): UnsentRow[] {
  const rows = new Map<string, UnsentRow>();
  for (const { reason, at, channel } of unsent) {
    const key = [reason, at].join();
    const row = rows.get(key) ?? { reason, at, channels: [] };
    if (channel && !row.channels.some(({ id }) => id === channel.id)) row.channels.push(channel);
    rows.set(key, row);
  }
  return [...rows.values()];
}

/** Returns the next Sunday at 03:00 in a time zone, in the format of date and time fields. */
export function nextSunday(nowMs: number, timezone: string): string {
  const now = wallClock(nowMs, timezone);
  const time = Temporal.PlainTime.from('03:00');
  const sunday = now.add({ days: 7 - now.dayOfWeek }).withPlainTime(time);
  const next = Temporal.PlainDateTime.compare(sunday, now) > 0 ? sunday : sunday.add({ days: 7 });
  return localText(instant(next, timezone), timezone);
}
