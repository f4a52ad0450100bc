import { expect, it } from '@jest/globals';
import { type ChannelOutcome } from '../../notifications/channel-outcomes.service.js';
import { notificationGroups } from './notification-groups.js';

const at = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1, 12, 0, seconds));

/** Returns an outcome of a channel, `seconds` after noon. */
function outcome(channelName: string, seconds: number, members: Partial<ChannelOutcome> = {}) {
  const alert = { alertKey: 'i/1', kind: 'trigger', step: 1, status: 'sent', reason: null, collectedBy: null } as const;
  const times = { firstAt: at(seconds), lastAt: at(seconds), count: 1 };
  return { ...alert, channelId: channelName, channelName, ...times, ...members } as ChannelOutcome;
}

const suppressed = { status: 'suppressed', reason: 'acknowledged' } as const;

it.each<[string, ChannelOutcome[], string[]]>([
  ['nothing', [], []],
  ['channels of the same step', [outcome('a', 0), outcome('b', 59)], ['0 a b']],
  ['channels that were reached later', [outcome('a', 0), outcome('b', 60)], ['0 a', '60 b']],
  ['another step', [outcome('b', 1, { step: 2 }), outcome('a', 0)], ['0 a', '1 b']],
  ['another outcome', [outcome('a', 0), outcome('b', 0, { status: 'failed' })], ['0 a', '0 b']],
  [
    'another reason',
    [outcome('a', 0, { ...suppressed, reason: 'silenced' }), outcome('b', 0, suppressed)],
    ['0 a', '0 b'],
  ],
  ['another episode', [outcome('a', 0), outcome('a', 9, { alertKey: 'i/2' })], ['0 a', '9 a']],
  ['the message of another incident', [outcome('a', 0), outcome('b', 9, { collectedBy: 'j' })], ['0 a', '9 b']],
  ['what was not sent, at any time', [outcome('a', 0, suppressed), outcome('b', 900, suppressed)], ['0 a b']],
  [
    'recoveries of different steps',
    [outcome('a', 0, { kind: 'resolve' }), outcome('b', 1, { kind: 'resolve', step: 2 })],
    ['0 a b'],
  ],
])('separates %s', (_, outcomes, expected) => {
  const groups = notificationGroups(outcomes);
  const shown = groups.map(
    (one) =>
      `${(Date.parse(one.at) - at(0).getTime()) / 1_000} ${one.outcomes.map((each) => each.channelName).join(' ')}`,
  );
  expect(shown).toEqual(expected);
});

it('reports repeats with their number and the time of the last one', () => {
  const repeats = { kind: 'repeat' } as const;
  const [group, ...others] = notificationGroups([
    outcome('a', 300, { ...repeats, count: 7, lastAt: at(2_100) }),
    outcome('b', 600, { ...repeats, count: 6, lastAt: at(2_101) }),
  ]);
  expect(others).toEqual([]);
  expect(group).toMatchObject({ rounds: 7, at: at(300).toISOString(), lastAt: at(2_101).toISOString() });
});
