import { isJsonObject, type JsonObject } from '../../http/body/json.js';
import { inspectBody, readObject } from '../../http/body/validation.js';
import { type FieldError, validationFailed } from '../../http/problems/problem.js';
import { pauseEnd } from '../monitors/history/monitor-pauses.service.js';
import {
  BulkMonitorsDto,
  type BulkActionName,
  type BulkFilterDto,
  type BulkSelectDto,
} from './dto/bulk-monitors.dto.js';

/** An action with what it needs, as plain JSON. */
export type BulkAction =
  | { kind: 'pause'; until: string | null; reason: string | null }
  | { kind: 'resume' | 'check' | 'delete' }
  | { kind: 'addTags' | 'removeTags'; tags: string[] }
  | { kind: 'patch'; patch: JsonObject };

/** The filters that are set. */
export type BulkFilter = { [Name in keyof BulkFilterDto]?: NonNullable<BulkFilterDto[Name]> };

export type BulkSelection = { ids: string[] } | { tags: string[] } | { filter: BulkFilter } | { all: true };

export interface BulkRequest {
  action: BulkAction;
  select: BulkSelection;
}

type Field = 'tags' | 'patch' | 'until' | 'durationSeconds' | 'reason';

const FIELDS: readonly Field[] = ['tags', 'patch', 'until', 'durationSeconds', 'reason'];
const USED: Readonly<Record<BulkActionName, readonly Field[]>> = {
  pause: ['until', 'durationSeconds', 'reason'],
  resume: [],
  check: [],
  addTags: ['tags'],
  removeTags: ['tags'],
  patch: ['patch'],
  delete: [],
};
const REQUIRED: ReadonlySet<Field> = new Set<Field>(['tags', 'patch']);

/**
 * Validates a request as sent by the caller, as of `nowMs`. `judgePatch` returns the errors that a patch has for every
 * monitor. The end of a pause is the same for all monitors, however long the operation takes.
 * @throws 422 with all errors at once
 */
export function readBulkRequest(
  body: unknown,
  nowMs: number,
  judgePatch: (patch: JsonObject) => readonly FieldError[],
): BulkRequest {
  const { instance: dto, errors } = inspectBody(BulkMonitorsDto, readObject(body));
  if (errors.length === 0) errors.push(...selectFaults(dto.select), ...fieldFaults(dto));
  if (errors.length === 0 && isJsonObject(dto.patch)) {
    errors.push(...judgePatch(dto.patch).map((one) => ({ ...one, pointer: `/patch${one.pointer}` })));
  }
  if (errors.length > 0) throw validationFailed(errors);
  return { action: actionOf(dto, nowMs), select: selectionOf(dto.select) };
}

function selectFaults(select: BulkSelectDto): FieldError[] {
  const given = [select.ids, select.tags, select.filter, select.all].filter((one) => one != null);
  const code = given.length === 0 ? 'required' : 'invalid_value';
  if (given.length !== 1) {
    return [{ pointer: '/select', code, detail: 'Set exactly one of ids, tags, filter or all.' }];
  }
  if (!select.filter || Object.keys(filterOf(select.filter)).length > 0) return [];
  const detail = 'Set at least one filter. To select every monitor, use all: true instead.';
  return [{ pointer: '/select/filter', code: 'required', detail }];
}

function fieldFaults(dto: BulkMonitorsDto): FieldError[] {
  const used = USED[dto.action];
  return FIELDS.flatMap((name): FieldError[] => {
    const [pointer, isSet] = [`/${name}`, dto[name] != null];
    if (isSet && !used.includes(name)) {
      return [{ pointer, code: 'not_applicable', detail: `The action ${dto.action} does not use ${name}.` }];
    }
    if (isSet || !used.includes(name) || !REQUIRED.has(name)) return [];
    return [{ pointer, code: 'required', detail: `The action ${dto.action} requires ${name}.` }];
  });
}

function actionOf(dto: BulkMonitorsDto, nowMs: number): BulkAction {
  const { action: kind } = dto;
  switch (kind) {
    case 'pause': {
      const untilMs = pauseEnd(dto, nowMs);
      return { kind, until: untilMs === null ? null : new Date(untilMs).toISOString(), reason: dto.reason ?? null };
    }
    case 'addTags':
    case 'removeTags':
      return { kind, tags: dto.tags! };
    case 'patch':
      return { kind, patch: dto.patch! };
    case 'resume':
    case 'check':
    case 'delete':
      return { kind };
  }
}

function selectionOf({ ids, tags, filter }: BulkSelectDto): BulkSelection {
  if (ids) return { ids };
  if (tags) return { tags };
  return filter ? { filter: filterOf(filter) } : { all: true };
}

function filterOf(filter: BulkFilterDto): BulkFilter {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value != null));
}
