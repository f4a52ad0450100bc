import { expect, it } from '@jest/globals';
import { ProblemException } from '../../http/problems/problem.js';
import { type Phase } from './dto/incident.dto.js';
import { endAfter, momentOfWrite } from './incident-phase.js';

const NOW = new Date('2026-01-01T12:00:00Z');
const OVER = new Date('2026-01-01T11:00:00Z');

it.each<[string, Phase, string, Date | null, Date | null | RegExp]>([
  ['manual', 'investigating', 'open', null, null],
  ['manual', 'identified', 'open', null, null],
  ['manual', 'monitoring', 'open', null, null],
  ['manual', 'note', 'open', null, null],
  ['manual', 'resolved', 'open', null, NOW],
  ['manual', 'postmortem', 'open', null, /once the incident is resolved/],
  ['detected', 'monitoring', 'open', null, null],
  ['detected', 'resolved', 'open', null, /resolves automatically/],
  ['detected', 'postmortem', 'open', null, /once the incident is resolved/],
  ['manual', 'note', 'resolved', OVER, OVER],
  ['manual', 'postmortem', 'resolved', OVER, OVER],
  ['manual', 'resolved', 'resolved', OVER, OVER],
  ['manual', 'monitoring', 'resolved', OVER, /To reopen it, set resolvedAt to null first\.$/],
  ['detected', 'resolved', 'resolved', OVER, OVER],
  ['detected', 'postmortem', 'resolved', OVER, OVER],
  ['detected', 'investigating', 'resolved', OVER, /accepts only a postmortem, a note or "resolved"\.$/],
])('a %s incident handles an update with the phase %s while it is %s', (kind, phase, _, resolvedAt, end) => {
  const act = () => endAfter(phase, { kind, resolvedAt }, NOW);
  if (!(end instanceof RegExp)) return expect(act()).toEqual(end);
  try {
    act();
  } catch (error) {
    expect(error).toBeInstanceOf(ProblemException);
    expect((error as ProblemException).errors).toMatchObject([
      { pointer: '/phase', detail: expect.stringMatching(end) },
    ]);
    return;
  }
  throw new Error('It was accepted.');
});

it.each<[string, string, string[], string]>([
  ['now', '2026-01-01T11:00:00.000Z', ['2026-01-01T11:30:00.000Z'], '2026-01-01T12:00:00.000Z'],
  ['after the latest update', '2026-01-01T11:00:00.000Z', ['2026-01-01T12:00:00.000Z'], '2026-01-01T12:00:00.001Z'],
  ['after one that is ahead', '2026-01-01T11:00:00.000Z', ['2026-01-01T12:00:05.000Z'], '2026-01-01T12:00:05.001Z'],
  ['at a start that is ahead', '2026-01-01T12:00:05.000Z', [], '2026-01-01T12:00:05.000Z'],
])('a write happens %s', (_, startedAt, times, moment) => {
  const updates = times.map((at) => ({ at }));
  expect(momentOfWrite({ startedAt, updates }, NOW.getTime()).toISOString()).toBe(moment);
});
