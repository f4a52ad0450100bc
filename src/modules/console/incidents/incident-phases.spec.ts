import { describe, expect, it } from '@jest/globals';
import { type Phase } from '../../incidents/dto/incident.dto.js';
import { currentPhase, offeredPhases, stepsBack } from './incident-phases.js';

const told = (...phases: Phase[]) => phases.map((phase) => ({ phase }));

describe('the phases of the next update', () => {
  it.each<['detected' | 'manual', 'open' | 'resolved', Phase[], Phase[], Phase[]]>([
    ['manual', 'open', [], ['investigating', 'identified', 'monitoring', 'resolved'], []],
    ['manual', 'open', ['identified', 'note'], ['identified', 'monitoring', 'resolved'], ['investigating']],
    ['manual', 'open', ['monitoring'], ['monitoring', 'resolved'], ['investigating', 'identified']],
    // A step back continues from there.
    ['manual', 'open', ['monitoring', 'identified'], ['identified', 'monitoring', 'resolved'], ['investigating']],
    // Reopened.
    ['manual', 'open', ['resolved', 'postmortem'], ['investigating', 'identified', 'monitoring', 'resolved'], []],
    ['detected', 'open', [], ['investigating', 'identified', 'monitoring'], []],
    ['detected', 'open', ['monitoring'], ['monitoring'], ['investigating', 'identified']],
    ['detected', 'resolved', ['monitoring'], ['resolved', 'postmortem', 'note'], []],
    ['manual', 'resolved', ['resolved', 'note'], ['postmortem', 'note'], []],
    ['manual', 'resolved', [], ['resolved', 'postmortem', 'note'], []],
  ])('of a %s incident that is %s, after %j, are %j, or back to %j', (kind, status, phases, next, earlier) => {
    const incident = { kind, status, updates: told(...phases) };
    expect(offeredPhases(incident)).toEqual({ phases: next, earlier });
    for (const phase of earlier) expect(stepsBack(phase, incident)).toBe(true);
    for (const phase of next) expect(stepsBack(phase, incident)).toBe(false);
  });

  it.each<[Phase[], Phase]>([
    [[], 'investigating'],
    [['identified', 'note', 'postmortem'], 'identified'],
    [['monitoring', 'investigating'], 'investigating'],
  ])('after %j continue from %s', (phases, current) => {
    expect(currentPhase({ updates: told(...phases) })).toBe(current);
  });
});
