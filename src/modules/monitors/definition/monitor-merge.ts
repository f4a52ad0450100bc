import { isJsonObject, type JsonObject, jsonPointer } from '../../../http/body/json.js';
import { mergePatch, nullStrays, underKnownNames } from '../../../http/body/merge-patch.js';
import { type FieldError } from '../../../http/problems/problem.js';
import { inspectBody } from '../../../http/body/validation.js';
import { CreateMonitorDto } from '../dto/monitor-definition.dto.js';
import { READ_ONLY_FIELDS } from '../dto/monitor.dto.js';
import { COMMON_FIELDS, TYPE_FIELDS } from './monitor-fields.js';

const READ_ONLY: ReadonlySet<string> = new Set(READ_ONLY_FIELDS);

/**
 * Returns the errors of a patch for several monitors that do not depend on the monitor: it is empty, or has members that
 * no monitor accepts, or has invalid values of fields that all types have. A key identifies one monitor, and pausing has
 * actions of its own.
 */
export function patchFaults(patch: JsonObject): FieldError[] {
  const names = Object.keys(patch);
  if (names.length === 0)
    return [{ pointer: '', code: 'too_short', detail: 'The patch must have at least one field.' }];
  const misnamed = names.flatMap((name): FieldError[] => {
    const pointer = jsonPointer([name]);
    if (name === 'key')
      return [
        {
          pointer,
          code: 'not_applicable',
          detail: 'key cannot be patched in bulk, because it identifies a single monitor.',
        },
      ];
    if (name === 'paused') {
      return [
        {
          pointer,
          code: 'not_applicable',
          detail: 'paused cannot be patched in bulk. Use the actions pause and resume instead.',
        },
      ];
    }
    if (COMMON_FIELDS.has(name) || TYPE_FIELDS.any.has(name)) return [];
    return READ_ONLY.has(name)
      ? [{ pointer, code: 'read_only_field', detail: `${name} is read-only.` }]
      : [{ pointer, code: 'unknown_field', detail: `Unknown field "${name}".` }];
  });
  return misnamed.length > 0 ? misnamed : commonFaults(patch);
}

/** Returns the errors in common fields, except objects and nulls, whose validity depends on what they are merged with. */
function commonFaults(patch: JsonObject): FieldError[] {
  const whole = Object.entries(patch).filter(
    ([name, value]) => COMMON_FIELDS.has(name) && value !== null && !isJsonObject(value),
  );
  const sent = new Set(whole.map(([name]) => name));
  const { errors } = inspectBody(CreateMonitorDto, Object.fromEntries(whole));
  return errors.filter(({ pointer = '' }) => sent.has(pointer.split('/')[1] ?? ''));
}

/**
 * Applies a merge patch to the writable fields of a definition. Header names are matched case-insensitively. A patch
 * that changes `auth.type` discards the members of the previous `auth`, and one that names another kind of schedule those
 * of the previous schedule.
 */
export function patchDefinition(current: JsonObject, patch: JsonObject): JsonObject {
  const adapted: JsonObject = { ...patch };
  if (isJsonObject(patch.headers) && isJsonObject(current.headers)) {
    adapted.headers = underKnownNames(patch.headers, current.headers);
  }
  const base: JsonObject = { ...current };
  if (
    isJsonObject(patch.auth) &&
    isJsonObject(base.auth) &&
    'type' in patch.auth &&
    patch.auth.type !== base.auth.type
  ) {
    delete base.auth;
  }
  if (patch.expiresInSeconds !== undefined) delete base.expiresAt;
  if (isJsonObject(patch.settings) && isJsonObject(base.settings)) {
    base.settings = withoutOtherSchedule(base.settings, patch.settings);
  }
  return { ...mergePatch(base, adapted), ...nullStrays(current, patch) };
}

const SCHEDULES = ['everySeconds', 'cron', 'onCalendar'];

function withoutOtherSchedule(settings: JsonObject, { schedule: patch }: JsonObject): JsonObject {
  const { schedule, ...others } = settings;
  if (!isJsonObject(schedule) || !isJsonObject(patch)) return settings;
  const isAnother = SCHEDULES.some((kind) => patch[kind] != null && schedule[kind] == null);
  return isAnother ? { ...others, schedule: {} } : settings;
}
