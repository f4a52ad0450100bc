import { type IncidentDto, type IncidentUpdateDto, type Phase } from '../../incidents/dto/incident.dto.js';

/** The phases of the work on an incident, in their order. */
const STEPS = ['investigating', 'identified', 'monitoring', 'resolved'] as const satisfies readonly Phase[];
type Step = (typeof STEPS)[number];

type Told = Pick<IncidentDto, 'kind' | 'status'> & { updates: readonly Pick<IncidentUpdateDto, 'phase'>[] };

/** The phases that the form of an update offers. */
export interface OfferedPhases {
  /** The first one is preselected. */
  phases: Phase[];
  /** Those before the current one, which readers of status pages would see as a step back. */
  earlier: Phase[];
}

const isStep = (phase: Phase): phase is Step => (STEPS as readonly Phase[]).includes(phase);

/** Returns the phase of the latest update that has one. An incident without such updates is being investigated. */
export function currentPhase({ updates }: Pick<Told, 'updates'>): Step {
  return updates.map(({ phase }) => phase).findLast(isStep) ?? 'investigating';
}

/**
 * Returns the phases that the next public update may have. An open incident continues in its current phase or a later
 * one; a detected one resolves by itself. After that there is the closing message, if nobody has written it yet, then a
 * postmortem or a note.
 */
export function offeredPhases(incident: Told): OfferedPhases {
  const { kind, status, updates } = incident;
  if (status === 'resolved') {
    const isClosed = updates.some(({ phase }) => phase === 'resolved');
    return { phases: isClosed ? ['postmortem', 'note'] : ['resolved', 'postmortem', 'note'], earlier: [] };
  }
  const possible: readonly Step[] = kind === 'detected' ? STEPS.filter((step) => step !== 'resolved') : STEPS;
  const phase = currentPhase(incident);
  // A reopened incident starts anew.
  const current = phase === 'resolved' ? 0 : STEPS.indexOf(phase);
  return { phases: possible.slice(current), earlier: possible.slice(0, current) };
}

/** Returns whether an update with this phase would be a step back. */
export function stepsBack(phase: string, incident: Told): boolean {
  return (offeredPhases(incident).earlier as string[]).includes(phase);
}
