import { DAY_MS } from '../../domain/durations.js';
import { type FieldError, validationFailed } from '../../http/problems/problem.js';
import { inspectBody, readObject } from '../../http/body/validation.js';
import { CreateExclusionDto, MAX_EXCLUSION_DAYS, READ_ONLY_FIELDS } from './dto/exclusion.dto.js';

/** A valid exclusion whose monitors are not resolved yet. */
export interface AcceptedExclusion {
  selection: Pick<CreateExclusionDto, 'monitorIds' | 'tags'>;
  startsAt: Date;
  endsAt: Date;
  reason: string;
}

/** Validates an exclusion as sent by the caller, as of `nowMs`. @throws 422 with all errors at once */
export function readExclusion(body: unknown, nowMs: number): AcceptedExclusion {
  const { instance, errors } = inspectBody(CreateExclusionDto, readObject(body), { readOnly: READ_ONLY_FIELDS });
  // A value of another type may not even be convertible.
  if (errors.length > 0) throw validationFailed(errors);
  const [startsAt, endsAt] = [new Date(instance.from), new Date(instance.to)];
  const faults = timeFaults(startsAt.getTime(), endsAt.getTime(), nowMs);
  if (faults.length > 0) throw validationFailed(faults);
  const { monitorIds, tags, reason } = instance;
  return { selection: { monitorIds, tags }, startsAt, endsAt, reason };
}

function timeFaults(fromMs: number, toMs: number, nowMs: number): FieldError[] {
  const fault = (pointer: string, detail: string): FieldError[] => [{ pointer, code: 'out_of_range', detail }];
  // Planned future work is not an exclusion but maintenance.
  if (toMs > nowMs) return fault('/to', 'An exclusion must be entirely in the past.');
  if (fromMs >= toMs) return fault('/from', 'from must be before to.');
  if (toMs - fromMs <= MAX_EXCLUSION_DAYS * DAY_MS) return [];
  return fault('/from', `An exclusion covers at most ${MAX_EXCLUSION_DAYS} days.`);
}
