import { describe, expect, it } from '@jest/globals';
import { HOUR_MS } from '../durations.js';
import { type AlertFacts, type NotificationFacts } from './facts.js';
import { forecast } from './forecast.js';
import { type PolicyRule } from './policy.js';

const START = Date.UTC(2026, 10, 24, 3);
const alert: AlertFacts = {
  incidentId: 'i',
  episode: 1,
  event: 'down',
  recordedAt: START,
  monitors: [{ id: 'm', type: 'http', tags: [], maintenance: [] }],
  children: [],
  end: null,
  retractedAt: null,
  acknowledgements: [],
  upSpans: [],
  silences: [],
  parents: [],
};
const facts: NotificationFacts = {
  alert,
  channels: ['a', 'b'].map((id) => ({ id, enabled: true, failingSince: null })),
  recorded: [],
};
const policy: PolicyRule = {
  id: 'p',
  enabled: true,
  activeSince: START,
  match: { all: true },
  on: ['down'],
  steps: [
    { afterSeconds: 0, channelIds: ['a'] },
    { afterSeconds: 300, channelIds: ['b'] },
  ],
  repeatEverySeconds: 3_600,
  quietHours: null,
};
const night = { timezone: 'UTC', days: ['monday' as const], from: '22:00', to: '07:00', except: [] };
const until = START + 7_200_000;

const sentOf = (given: Partial<AlertFacts>, ...policies: PolicyRule[]) =>
  forecast({ ...facts, alert: { ...alert, ...given } }, policies, until).sent.map(
    ({ kind, channelId, dueAt }) => `${kind} ${channelId} @${(dueAt - START) / 60_000}`,
  );

describe('forecast', () => {
  it('returns all steps and repeats until the end of the period', () => {
    expect(sentOf({}, policy)).toEqual(['trigger a @0', 'trigger b @5', 'repeat b @65']);
  });

  it('returns the recovery', () => {
    const end = { at: START + 600_000, how: 'resolved' as const };
    expect(sentOf({ end }, policy)).toEqual(['trigger a @0', 'trigger b @5', 'resolve a @10', 'resolve b @10']);
  });

  it('returns what is still held back at the end', () => {
    const { sent, unsent } = forecast(facts, [{ ...policy, quietHours: night }], until);
    expect(sent).toEqual([]);
    expect(unsent).toMatchObject([{ channelId: 'a', reason: 'quiet_hours', dueAt: START + 4 * HOUR_MS }]);
  });

  it('returns that nobody is notified', () => {
    expect(forecast(facts, [], until)).toMatchObject({ sent: [], unsent: [{ reason: 'no_policy' }] });
  });
});
