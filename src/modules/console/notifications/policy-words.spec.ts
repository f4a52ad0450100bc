import { describe, expect, it } from '@jest/globals';
import { DEFAULT_EVENTS, WEEKDAYS } from '../../../domain/notification-plan/policy.js';
import { matchWords, type PolicyOutline, policySentence } from './policy-words.js';

const NAMES = {
  channels: new Map([
    ['ops', 'Ops'],
    ['call', 'On call'],
  ]),
  monitors: new Map([
    ['shop', 'Shop'],
    ['api', 'API'],
  ]),
};
const NONE = { all: false, monitorIds: [], tags: [], allTags: [], notTags: [], types: [] };
const ALL = { ...NONE, all: true };
const HOURS = { timezone: 'Europe/Berlin', days: [...WEEKDAYS], from: '22:00', to: '07:00', except: [] };

const policy = (changes: Partial<PolicyOutline>): PolicyOutline => ({
  match: ALL,
  on: ['down'],
  steps: [{ afterSeconds: 0, channelIds: ['ops'] }],
  repeatEverySeconds: null,
  quietHours: null,
  ...changes,
});
const ESCALATION = [
  { afterSeconds: 0, channelIds: ['ops'] },
  { afterSeconds: 300, channelIds: ['call', 'ops'] },
];

describe('the sentence of a policy', () => {
  it.each<[string, Partial<PolicyOutline>, string]>([
    ['one step', {}, 'Outages and recoveries of all monitors: Ops immediately.'],
    [
      'an escalation',
      { match: { ...NONE, tags: ['production'] }, steps: ESCALATION },
      'Outages and recoveries of monitors tagged production: Ops immediately, On call and Ops after 5 minutes unless acknowledged.',
    ],
    [
      'a delayed step',
      { steps: [{ afterSeconds: 90, channelIds: ['gone'] }] },
      'Outages and recoveries of all monitors: a deleted channel after 90 seconds unless acknowledged.',
    ],
    [
      'repeats',
      { repeatEverySeconds: 1_800 },
      'Outages and recoveries of all monitors: Ops immediately, repeated every 30 minutes until acknowledged.',
    ],
    [
      'the default events',
      { on: DEFAULT_EVENTS },
      'Outages and recoveries of all monitors: Ops immediately. Ops is also notified about monitors without data, offline locations and failing channels.',
    ],
    [
      'no outages',
      { on: ['degraded', 'maintenance'], steps: [{ afterSeconds: 0, channelIds: ['ops', 'call'] }] },
      'All monitors: Ops and On call are notified about degraded monitors and maintenance.',
    ],
    [
      'quiet nights',
      { quietHours: HOURS },
      'Outages and recoveries of all monitors: Ops immediately. Quiet hours from 22:00 to 07:00 (Europe/Berlin) every day.',
    ],
    [
      'quiet weekends',
      { quietHours: { ...HOURS, days: ['sunday', 'saturday'], except: ['down'] } },
      'Outages and recoveries of all monitors: Ops immediately. Quiet hours from 22:00 to 07:00 (Europe/Berlin) on Saturday and Sunday, except for outages.',
    ],
    [
      'quiet weekdays',
      { quietHours: { ...HOURS, days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] } },
      'Outages and recoveries of all monitors: Ops immediately. Quiet hours from 22:00 to 07:00 (Europe/Berlin) on weekdays.',
    ],
    [
      'an unfinished form',
      { match: NONE, on: [], steps: [{ afterSeconds: null, channelIds: [] }] },
      'No monitors: no events selected.',
    ],
    [
      'a step without time and channels',
      { on: ['down', 'unknown'], steps: [{ afterSeconds: null, channelIds: [] }] },
      'Outages and recoveries of all monitors: nobody yet.',
    ],
  ])('describes %s', (_name, changes, sentence) => {
    expect(policySentence(policy(changes), NAMES)).toBe(sentence);
  });
});

describe('the words of a match', () => {
  it.each([
    [{ ...NONE, monitorIds: ['shop', 'api'] }, 'Shop and API'],
    [{ ...NONE, monitorIds: ['gone'] }, 'a deleted monitor'],
    [{ ...NONE, monitorIds: ['shop', 'api', 'x', 'y'] }, '4 monitors'],
    [{ ...NONE, monitorIds: ['shop'], types: ['http', 'tcp'] }, 'Shop and monitors of type http or tcp'],
    [{ ...NONE, tags: ['a', 'b', 'c'], allTags: ['d', 'e'] }, 'monitors tagged a, b or c, tagged d and e'],
    [{ ...NONE, notTags: ['staging'] }, 'all monitors except those tagged staging'],
    [{ ...NONE, tags: ['a'], notTags: ['b', 'c'] }, 'monitors tagged a, except those tagged b or c'],
  ])('of %j are “%s”', (match, words) => {
    expect(matchWords(match, NAMES.monitors)).toBe(words);
  });
});
