import { expect, it } from '@jest/globals';
import { type MonitorPolicyDto, type NotifiedChannelDto } from '../../notification-policies/dto/monitor-policy.dto.js';
import { appliedSentences, channelsWords } from './notified-words.js';

const channel = (name: string, enabled = true): NotifiedChannelDto => ({
  id: name,
  key: null,
  name,
  type: 'x',
  enabled,
});
const step = (afterSeconds: number, ...names: string[]) => ({
  afterSeconds,
  channels: names.map((one) => channel(one)),
});
const QUIET = { timezone: 'Europe/Berlin', from: '22:00', to: '07:00' };
const policy = (changes: Partial<MonitorPolicyDto>): MonitorPolicyDto => ({
  id: 'p',
  key: null,
  name: 'P',
  enabled: true,
  on: ['down'],
  steps: [step(0, 'Ops')],
  repeatEverySeconds: null,
  quietHours: null,
  ...changes,
});

it.each<[string, Partial<MonitorPolicyDto>]>([
  ['Outages: Ops immediately.', {}],
  [
    'Outages: Ops and Chat immediately, Boss after 5 minutes unless acknowledged.',
    { steps: [step(0, 'Ops', 'Chat'), step(300, 'Boss')] },
  ],
  ['Outages: Ops immediately, again every 30 minutes unless acknowledged.', { repeatEverySeconds: 1_800 }],
  ['Outages: nobody.', { steps: [step(0)] }],
  // The others do not concern a monitor.
  ['Outages: Ops immediately. Missing data: Ops.', { on: ['down', 'unknown', 'location_offline', 'channel_failing'] }],
  ['Degraded performance and maintenance: Ops.', { on: ['degraded', 'maintenance'] }],
  [
    'Outages: Ops immediately. Quiet hours from 22:00 to 07:00 (Europe/Berlin) on Saturday and Sunday, except for outages.',
    { quietHours: { ...QUIET, days: ['saturday', 'sunday'], except: ['down'] } },
  ],
  [
    'Outages: Ops immediately. Quiet hours from 22:00 to 07:00 (Europe/Berlin).',
    {
      quietHours: {
        ...QUIET,
        days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
        except: [],
      },
    },
  ],
])('says "%s"', (words, changes) => {
  expect(appliedSentences(policy(changes))).toBe(words);
});

it.each([
  ['nobody', []],
  ['Ops', [channel('Ops')]],
  ['Ops (disabled) and Chat', [channel('Ops', false), channel('Chat')]],
  ['a, b, c, d, e and f', [...'abcdef'].map((name) => channel(name))],
  ['a, b, c, d, e and 3 more', [...'abcdefgh'].map((name) => channel(name))],
])('lists channels as "%s"', (words, channels) => {
  expect(channelsWords(channels)).toBe(words);
});
