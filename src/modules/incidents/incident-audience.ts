import { validationFailed } from '../../http/problems/problem.js';
import { type WriteIncidentUpdateDto } from './dto/write-incident.dto.js';
import { type Incident } from './incident.entity.js';

type Kind = Incident['kind'];

/** Returns whether status pages show an update: as it asks for, otherwise unless it is a note. Never that of a drill. */
export function isPublic(kind: Kind, { public: isGiven, phase }: WriteIncidentUpdateDto): boolean {
  return kind !== 'drill' && (isGiven ?? (phase ?? 'note') !== 'note');
}

/** Returns whether subscribers of status pages are sent an update. Updates of past incidents only if asked for. */
export function isSentToSubscribers(kind: Kind, update: WriteIncidentUpdateDto, wasOpen: boolean): boolean {
  return update.notifySubscribers ?? (wasOpen && isPublic(kind, update));
}

/**
 * `pointer` is that of the update in the body.
 * @throws 422 for a public update of a drill, and if subscribers are to be sent what status pages do not show
 */
export function assertAudience(kind: Kind, update: WriteIncidentUpdateDto, pointer = ''): void {
  if (kind === 'drill' && update.public === true) {
    const detail = 'Status pages do not show drills, so their updates are not public.';
    throw validationFailed([{ pointer: `${pointer}/public`, code: 'not_applicable', detail }]);
  }
  if (update.notifySubscribers !== true || isPublic(kind, update)) return;
  const detail = 'Only a public update can be sent to subscribers.';
  throw validationFailed([{ pointer: `${pointer}/notifySubscribers`, code: 'not_applicable', detail }]);
}
