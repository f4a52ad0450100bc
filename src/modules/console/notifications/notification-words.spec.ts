import { describe, expect, it } from '@jest/globals';
import { NOTIFICATION_KINDS, NOTIFICATION_REASONS } from '../../notifications/dto/notification.dto.js';
import { kindWords, mayRetry, reasonWords } from './notification-words.js';

describe('the words of a notification', () => {
  it.each([
    ['trigger', 1, 'Alert'],
    ['trigger', 2, 'Alert, step 2'],
    ['repeat', 3, 'Reminder, step 3'],
    ['resolve', 0, 'Recovery'],
    ['notice', 1, 'Notice'],
  ] as const)('call a %s of step %d “%s”', (kind, step, words) => {
    expect(kindWords({ kind, step })).toBe(words);
  });

  it.each([
    ['sent', null, null],
    ['held', 'quiet_hours', 'Waits for the end of quiet hours.'],
    ['suppressed', 'quiet_hours', 'It was over before quiet hours ended.'],
    ['suppressed', 'no_policy', 'Nobody was notified, because no policy applies.'],
    ['sent', 'collected', 'Part of a message about several alerts.'],
    ['suppressed', 'collected', 'It was part of another message.'],
  ] as const)('explain %s with the reason %s: %s', (status, reason, words) => {
    expect(reasonWords({ status, reason })).toBe(words);
  });

  it('exist for every kind and every reason, and differ', () => {
    const kinds = NOTIFICATION_KINDS.map((kind) => kindWords({ kind, step: 1 }));
    expect(new Set(kinds).size).toBe(NOTIFICATION_KINDS.length);
    const reasons = NOTIFICATION_REASONS.map((reason) => reasonWords({ status: 'suppressed', reason }));
    expect(new Set(reasons).size).toBe(NOTIFICATION_REASONS.length);
    expect(reasons).not.toContain(undefined);
  });

  it.each([
    ['failed', true],
    ['pending', true],
    ['held', false],
    ['sent', false],
    ['suppressed', false],
  ] as const)('offer a retry of what is %s: %p', (status, offered) => {
    expect(mayRetry({ status })).toBe(offered);
  });
});
