import { expect, it } from '@jest/globals';
import { NOTIFICATION_REASONS, type NotificationDto } from '../../notifications/dto/notification.dto.js';
import { delayWords, kindWords, outcomeTitle, outcomeTone, reasonWords, statusWords } from './notification-words.js';

type Named = Pick<NotificationDto, 'kind' | 'step' | 'status' | 'reason'>;
const SENT: Named = { kind: 'trigger', step: 1, status: 'sent', reason: null };

it.each<[string, string | undefined, Partial<Named>, number]>([
  ['Notified', undefined, {}, 1],
  ['Escalated to step 2', undefined, { step: 2 }, 1],
  ['Other channels notified', undefined, { step: 0 }, 1],
  ['Reminder sent', undefined, { kind: 'repeat', step: 2 }, 1],
  ['Reminder sent 1,200 times', undefined, { kind: 'repeat' }, 1_200],
  ['Acknowledgement sent', undefined, { kind: 'acknowledged' }, 1],
  ['Recovery sent', 'up', { kind: 'resolve', step: 2 }, 1],
  ['Correction sent', undefined, { kind: 'correction' }, 1],
  ['Alert not delivered yet', 'degraded', { status: 'pending' }, 1],
  ['Alert, step 2 not delivered', 'down', { status: 'failed', step: 2 }, 1],
  ['Alert held', undefined, { status: 'held', reason: 'quiet_hours' }, 1],
  ['Alert, step 3 not sent', undefined, { status: 'suppressed', reason: 'acknowledged', step: 3 }, 1],
  ['Nobody was notified', 'down', { status: 'suppressed', reason: 'no_policy', step: 0 }, 1],
])('says "%s" in the tone %s for %j', (title, tone, members, rounds) => {
  const named = { ...SENT, ...members };
  expect([outcomeTitle(named, rounds), outcomeTone(named)]).toEqual([title, tone]);
});

it.each(NOTIFICATION_REASONS)('explains %s in a sentence, while it holds and afterwards', (reason) => {
  for (const status of ['held', 'suppressed'] as const) expect(reasonWords({ status, reason })).toMatch(/^[A-Z].*\.$/);
});

it.each([
  [null, SENT],
  ['Sent in one message with other notifications.', { status: 'sent', reason: 'collected' }],
  ['Someone has acknowledged the incident.', { status: 'held', reason: 'acknowledged' }],
  ['Someone had acknowledged the incident.', { status: 'suppressed', reason: 'acknowledged' }],
] as const)('gives the reason %j for %j', (words, named) => {
  expect(reasonWords(named)).toBe(words);
});

it.each([
  [
    { mark: 'up', word: 'Sent' },
    { status: 'sent', reason: null },
  ],
  [
    { mark: 'unknown', word: 'Not sent' },
    { status: 'suppressed', reason: 'silenced' },
  ],
  [
    { mark: 'degraded', word: 'Pending' },
    { status: 'pending', reason: null },
  ],
  [
    { mark: 'paused', word: 'Held' },
    { status: 'held', reason: 'quiet_hours' },
  ],
  [
    { mark: 'down', word: 'Nobody was notified' },
    { status: 'suppressed', reason: 'no_policy' },
  ],
] as const)('shows %j for %j', (shown, named) => {
  expect(statusWords(named)).toEqual(shown);
});

it('names steps only of alerts', () => {
  expect(kindWords({ kind: 'trigger', step: 1 })).toBe('Alert');
  expect(kindWords({ kind: 'trigger', step: 2 })).toBe('Alert, step 2');
  expect(kindWords({ kind: 'resolve', step: 2 })).toBe('Recovery');
  expect(kindWords({ kind: 'repeat', step: 2 })).toBe('Reminder');
});

it.each([
  ['0 ms', -5],
  ['412 ms', 412.4],
  ['1.2 s', 1_234],
  ['3 minutes', 180_000],
])('writes a delay as %s for %d ms', (words, ms) => {
  expect(delayWords(ms)).toBe(words);
});
