import { type ProblemException, validationFailed } from '../../http/problems/problem.js';
import { type Phase } from './dto/incident.dto.js';
import { type Incident } from './incident.entity.js';

/** An incident with its updates, oldest first. */
interface Written {
  startedAt: string;
  updates: readonly { at: string }[];
}

/** Phases of updates that a resolved incident accepts. None of them reopens it. */
const AFTERWARDS: readonly Phase[] = ['resolved', 'postmortem', 'note'];

/**
 * Returns when a write at `nowMs` happens to an incident: after its latest update, because updates are ordered by their
 * time, and not before its start. Another process, whose clock is ahead, may have written these.
 */
export function momentOfWrite({ startedAt, updates }: Written, nowMs: number): Date {
  const latest = updates.at(-1);
  return new Date(Math.max(nowMs, Date.parse(startedAt), latest ? Date.parse(latest.at) + 1 : 0));
}

/**
 * Returns the end of an incident after an update with this phase at `now`. `isNew` if the update reports the incident.
 * @throws 422 if the incident does not accept the phase: a resolved one must not appear unresolved to readers of status
 * pages, an open one has no postmortem yet, and only checks resolve a detected one. A drill is resolved like a manual one.
 */
export function endAfter(
  phase: Phase,
  { kind, resolvedAt }: Pick<Incident, 'kind' | 'resolvedAt'>,
  now: Date,
  isNew = false,
): Date | null {
  const pointer = isNew ? '/update/phase' : '/phase';
  if (resolvedAt !== null) {
    if (AFTERWARDS.includes(phase)) return resolvedAt;
    if (isNew) throw refused(pointer, 'An incident with resolvedAt accepts only "resolved", a postmortem or a note.');
    const how = kind === 'manual' ? ' To reopen it, set resolvedAt to null first.' : '';
    throw refused(pointer, `The incident is resolved and accepts only a postmortem, a note or "resolved".${how}`);
  }
  if (phase === 'postmortem') throw refused(pointer, 'A postmortem can be added once the incident is resolved.');
  if (phase !== 'resolved') return null;
  if (kind !== 'detected') return now;
  throw refused(pointer, 'A detected incident resolves automatically once checks pass again.');
}

function refused(pointer: string, detail: string): ProblemException {
  return validationFailed([{ pointer, code: 'invalid_value', detail }]);
}
