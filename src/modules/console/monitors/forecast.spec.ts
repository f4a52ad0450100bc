import { expect, it } from '@jest/globals';
import { type NotifiedChannelDto } from '../../notification-policies/dto/monitor-policy.dto.js';
import { type NotificationPreviewDto } from '../../notification-policies/dto/preview.dto.js';
import { forecastRows, nextSunday, unsentRows } from './forecast.js';

const channel = (name: string): NotifiedChannelDto => ({ id: name, key: null, name, type: 'slack', enabled: true });
const at = (minute: number): string => new Date(Date.UTC(2026, 10, 29, 3, minute)).toISOString();
const sent = (minute: number, name: string, kind: 'trigger' | 'repeat' = 'trigger', step = 1, policyId = 'p') => ({
  at: at(minute),
  kind,
  step,
  policyId,
  channel: channel(name),
});
const preview = (changes: Partial<NotificationPreviewDto>): NotificationPreviewDto => ({
  notifications: [],
  unsent: [],
  ...changes,
});

it('shows what is sent at one moment in one row, and all repeats of a policy', () => {
  const notifications = [
    sent(0, 'Ops'),
    sent(0, 'Chat', 'trigger', 1, 'q'),
    sent(0, 'Ops', 'trigger', 1, 'q'),
    sent(5, 'Boss', 'trigger', 2),
    ...[35, 65, 95].flatMap((minute) => [sent(minute, 'Boss', 'repeat', 2), sent(minute, 'Ops', 'repeat', 2)]),
  ];
  const rows = forecastRows(preview({ notifications }));
  expect(rows.map((one) => [one.at, one.kind, one.step, one.times, one.channels.map(({ name }) => name)])).toEqual([
    [at(0), 'trigger', 1, 1, ['Ops', 'Chat']],
    [at(5), 'trigger', 2, 1, ['Boss']],
    [at(35), 'repeat', 2, 3, ['Boss', 'Ops']],
  ]);
});

it('shows what is not sent by reason', () => {
  const none = { policyId: 'p', at: null };
  const unsent = [
    { ...none, reason: 'channel_disabled', channel: channel('Ops') },
    { ...none, reason: 'silenced', at: at(9), channel: channel('Chat') },
    { ...none, reason: 'channel_disabled', channel: channel('Boss') },
  ];
  const rows = unsentRows(preview({ unsent }));
  expect(rows.map((one) => [one.reason, one.at, one.channels.map(({ name }) => name)])).toEqual([
    ['channel_disabled', null, ['Ops', 'Boss']],
    ['silenced', at(9), ['Chat']],
  ]);
  expect(unsentRows(preview({ unsent: [{ ...none, reason: 'no_policy', channel: null }] }))).toMatchObject([
    { reason: 'no_policy', channels: [] },
  ]);
});

it.each([
  // A Wednesday.
  ['2026-11-29T03:00', '2026-11-25T12:00:00Z', 'UTC'],
  ['2026-11-29T03:00', '2026-11-29T02:59:59Z', 'UTC'],
  ['2026-12-06T03:00', '2026-11-29T03:00:00Z', 'UTC'],
  // Already Sunday, 04:00 there.
  ['2026-12-06T03:00', '2026-11-28T19:00:00Z', 'Asia/Tokyo'],
])('suggests %s at %s in %s', (expected, now, timezone) => {
  expect(nextSunday(Date.parse(now), timezone)).toBe(expected);
});
