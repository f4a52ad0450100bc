import { DAY_MS } from '../../domain/utc-day.js';
import { type FieldError, validationFailed } from '../../http/problems/problem.js';
import { inspectBody, readObject } from '../../http/body/validation.js';
import { CreateExclusionDto, MAX_EXCLUSION_DAYS, READ_ONLY_FIELDS } from './dto/exclusion.dto.js';

/** An exclusion that was accepted, its monitors not looked up yet. */
export interface AcceptedExclusion {
  selection: Pick<CreateExclusionDto, 'monitorIds' | 'tags'>;
  startsAt: Date;
  endsAt: Date;
  reason: string;
}

/** Judges an exclusion as a caller wrote it, at `nowMs`. @throws 422 with every fault at once */
export function readExclusion(body: unknown, nowMs: number): AcceptedExclusion {
  const { instance, errors } = inspectBody(CreateExclusionDto, readObject(body), { readOnly: READ_ONLY_FIELDS });
  const [startsAt, endsAt] = [new Date(instance.from), new Date(instance.to)];
  if (errors.length === 0) errors.push(...timeFaults(startsAt.getTime(), endsAt.getTime(), nowMs));
  if (errors.length > 0) throw validationFailed(errors);
  const { monitorIds, tags, reason } = instance;
  return { selection: { monitorIds, tags }, startsAt, endsAt, reason };
}

function timeFaults(fromMs: number, toMs: number, nowMs: number): FieldError[] {
  const fault = (pointer: string, detail: string): FieldError[] => [{ pointer, code: 'out_of_range', detail }];
  // What is yet to come is planned, and so maintenance.
  if (toMs > nowMs) return fault('/to', 'Only time that has passed can be excluded.');
  if (fromMs >= toMs) return fault('/from', 'It must begin before it ends.');
  if (toMs - fromMs <= MAX_EXCLUSION_DAYS * DAY_MS) return [];
  return fault('/from', `At most ${MAX_EXCLUSION_DAYS} days at once.`);
}
