import { describe, expect, it } from '@jest/globals';
import { type PublicIncidentDto } from '../dto/public-incident.dto.js';
import { type ComponentStatus } from './statuspage.dto.js';
import { incidentStatus, updatesOf, worstOf } from './statuspage-words.js';

type Told = readonly [minute: number, phase: PublicIncidentDto['updates'][number]['phase'], text: string];

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 12, minute)).toISOString();

/** Returns an incident from 12:00 with these updates, oldest first; resolved at this minute unless null. */
function incident(told: readonly Told[], resolvedMinute: number | null = null): PublicIncidentDto {
  return {
    id: '0198c9a4-9a11-7b7e-8f35-5a0f3f3d7a02',
    title: 'Shop is down',
    status: resolvedMinute === null ? 'open' : 'resolved',
    impact: 'down',
    startedAt: at(0),
    resolvedAt: resolvedMinute === null ? null : at(resolvedMinute),
    componentIds: [],
    updates: told
      .map(([minute, phase, text]) => ({ at: at(minute), phase, text, textHtml: `<p>${text}</p>` }))
      .reverse(),
  };
}

describe('updatesOf', () => {
  it.each<[string, PublicIncidentDto, string[]]>([
    ['repeats the title without updates', incident([]), ['0 investigating Shop is down.']],
    [
      'states the resolution that nobody posted',
      incident([], 8),
      ['8 resolved This incident has been resolved.', '0 investigating Shop is down.'],
    ],
    [
      'lists what was posted, newest first',
      incident(
        [
          [1, 'identified', 'A disk.'],
          [5, 'resolved', 'Replaced.'],
        ],
        5,
      ),
      ['5 resolved Replaced.', '1 identified A disk.'],
    ],
    [
      'gives a note the status of its time',
      incident(
        [
          [1, 'note', 'Looking.'],
          [2, 'monitoring', 'Fixed.'],
          [3, 'note', 'Still fine.'],
          [9, 'note', 'It was a disk.'],
        ],
        8,
      ),
      [
        '9 resolved It was a disk.',
        '8 resolved This incident has been resolved.',
        '3 monitoring Still fine.',
        '2 monitoring Fixed.',
        '1 investigating Looking.',
      ],
    ],
  ])('%s', (_, one, expected) => {
    const told = updatesOf(one).map(({ at: time, status, body }) => `${new Date(time).getMinutes()} ${status} ${body}`);
    expect(told).toEqual(expected);
  });
});

it.each<[string, PublicIncidentDto, string]>([
  ['without updates', incident([]), 'investigating'],
  ['resolved', incident([[1, 'resolved', 'x']], 1), 'resolved'],
  [
    'resolved with a postmortem',
    incident(
      [
        [1, 'resolved', 'x'],
        [9, 'postmortem', 'y'],
      ],
      1,
    ),
    'postmortem',
  ],
  ['with notes only', incident([[1, 'note', 'x']]), 'investigating'],
  [
    'with updates',
    incident([
      [1, 'identified', 'x'],
      [2, 'note', 'y'],
    ]),
    'identified',
  ],
  [
    'that was reopened',
    incident([
      [1, 'monitoring', 'x'],
      [2, 'resolved', 'y'],
    ]),
    'monitoring',
  ],
  ['that is resolved', incident([[1, 'monitoring', 'x']], 5), 'resolved'],
])('the status of an incident %s is %s', (_, one, status) => {
  expect(incidentStatus(one)).toBe(status);
});

it.each<[ComponentStatus[], ComponentStatus]>([
  [[], 'operational'],
  [['operational', 'under_maintenance'], 'under_maintenance'],
  [['degraded_performance', 'under_maintenance', 'operational'], 'degraded_performance'],
  [['major_outage', 'degraded_performance'], 'major_outage'],
])('the worst of %j is %s', (statuses, worst) => {
  expect(worstOf(statuses)).toBe(worst);
});
