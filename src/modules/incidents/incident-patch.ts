import { type FieldErrorCode } from '../../domain/field-error-codes.js';
import { type JsonObject } from '../../http/body/json.js';
import { validateBody } from '../../http/body/validation.js';
import { type ProblemException, validationFailed } from '../../http/problems/problem.js';
import { READ_ONLY_FIELDS } from './dto/incident.dto.js';
import { IncidentDefinitionDto, IncidentTitleDto, IncidentWithoutMonitorsDto } from './dto/write-incident.dto.js';
import { type Incident } from './incident.entity.js';

export const DEFAULT_IMPACT = 'degraded';
/** Fields that checks determine for a detected incident, and callers for a manual one. */
const DECIDED_BY_CHECKS = ['monitorIds', 'impact', 'startedAt', 'resolvedAt'];
/** Fields that the start of a drill determines. */
const DECIDED_BY_START = ['title', 'monitorIds', 'impact', 'startedAt'];

/** The fields that a patch sets; the others are undefined. */
export interface JudgedPatch {
  title?: string;
  impact?: string;
  startedAt?: Date;
  resolvedAt?: Date | null;
  monitorIds?: string[];
}

/**
 * Validates a patch (RFC 7396) of a stored incident. Only the title of a detected one can be changed, and only the end
 * of a drill. Fields that the patch does not name are left out, so that applying it keeps their current values.
 * @throws 422
 */
export function judgePatch(found: Incident, patch: JsonObject): JudgedPatch {
  if (found.kind === 'drill') return judgeEnd(found, patch);
  return found.kind === 'detected' ? judgeTitle(found, patch) : judgeDefinition(found, patch);
}

function judgeTitle(found: Incident, patch: JsonObject): JudgedPatch {
  const strange = DECIDED_BY_CHECKS.filter((name) => name in patch);
  if (strange.length > 0) throw notApplicable(strange, TITLE_ONLY);
  const readOnly = READ_ONLY_FIELDS;
  const { title } = validateBody(IncidentTitleDto, { title: found.title, ...patch }, { readOnly });
  return 'title' in patch ? { title } : {};
}

function judgeEnd(found: Incident, patch: JsonObject): JudgedPatch {
  const strange = DECIDED_BY_START.filter((name) => name in patch);
  if (strange.length > 0) throw notApplicable(strange, END_ONLY);
  const { resolvedAt } = judgeDefinition(found, patch);
  return resolvedAt === undefined ? {} : { resolvedAt };
}

function judgeDefinition(found: Incident, patch: JsonObject): JudgedPatch {
  const { title, impact, startedAt, resolvedAt } = found;
  const stored = { title, impact, startedAt: startedAt.toISOString(), resolvedAt: resolvedAt?.toISOString() ?? null };
  // Stored monitors may have been deleted: only those that are sent must exist.
  const shape = 'monitorIds' in patch ? IncidentDefinitionDto : IncidentWithoutMonitorsDto;
  const dto = validateBody<IncidentWithoutMonitorsDto & { monitorIds?: string[] }>(
    shape,
    { ...stored, ...patch },
    { readOnly: READ_ONLY_FIELDS },
  );
  // A process whose clock is ahead may have written what is stored.
  const nowMs = Math.max(Date.now(), startedAt.getTime(), resolvedAt?.getTime() ?? 0);
  const times = timesOf(dto, new Date(nowMs));
  return {
    monitorIds: dto.monitorIds,
    ...('title' in patch && { title: dto.title }),
    ...('impact' in patch && { impact: dto.impact ?? DEFAULT_IMPACT }),
    ...('startedAt' in patch && { startedAt: times.startedAt }),
    ...('resolvedAt' in patch && { resolvedAt: times.resolvedAt }),
  };
}

/** Returns when an incident started and ended; it starts at `now` unless the body says otherwise. @throws 422 */
export function timesOf(dto: IncidentWithoutMonitorsDto, now: Date): { startedAt: Date; resolvedAt: Date | null } {
  const startedAt = dto.startedAt == null ? now : new Date(dto.startedAt);
  const resolvedAt = dto.resolvedAt == null ? null : new Date(dto.resolvedAt);
  const future = 'The time must not be in the future.';
  if (startedAt > now) throw fault('/startedAt', 'out_of_range', future);
  if (resolvedAt && resolvedAt > now) throw fault('/resolvedAt', 'out_of_range', future);
  assertInOrder(startedAt, resolvedAt);
  return { startedAt, resolvedAt };
}

/** @throws 422 if an incident would end before it begins */
export function assertInOrder(startedAt: Date, resolvedAt: Date | null): void {
  if (!resolvedAt || resolvedAt >= startedAt) return;
  throw fault('/resolvedAt', 'out_of_range', 'An incident must not end before it begins.');
}

/** @throws 422 if a patch would reopen a drill that has ended, or change when it did */
export function assertEndKept({ kind, resolvedAt }: Pick<Incident, 'kind' | 'resolvedAt'>, end: Date | null): void {
  if (kind !== 'drill' || resolvedAt === null || resolvedAt.getTime() === end?.getTime()) return;
  throw fault('/resolvedAt', 'not_applicable', 'The drill has ended. It cannot be reopened; start a new one.');
}

const TITLE_ONLY = 'Only the title of a detected incident can be changed; checks determine everything else.';
const END_ONLY = 'A drill cannot be changed; to end it, set resolvedAt.';

function notApplicable(names: readonly string[], detail: string): ProblemException {
  return validationFailed(names.map((name) => ({ pointer: `/${name}`, code: 'not_applicable' as const, detail })));
}

function fault(pointer: string, code: FieldErrorCode, detail: string): ProblemException {
  return validationFailed([{ pointer, code, detail }]);
}
