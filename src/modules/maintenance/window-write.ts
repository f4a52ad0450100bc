import { DAY_MS } from '../../domain/durations.js';
import { type FieldErrorCode } from '../../domain/field-error-codes.js';
import { ruleFault } from '../../domain/recurrence.js';
import { type JsonObject } from '../../http/body/json.js';
import { type FieldError } from '../../http/problems/problem.js';
import { inspectBody } from '../../http/body/validation.js';
import { type MonitorSelectionDto } from '../monitors/dto/monitor-selection.dto.js';
import { CreateMaintenanceWindowDto } from './dto/create-maintenance-window.dto.js';
import { READ_ONLY_FIELDS } from './dto/maintenance-window.dto.js';

/** The columns of a window that a caller writes, except for its monitors. */
export interface WindowDefinition {
  key: string | null;
  name: string;
  description: string | null;
  startsAt: Date | null;
  endsAt: Date | null;
  timezone: string;
  rrule: string | null;
  public: boolean;
  notifySubscribers: boolean;
}

export interface AcceptedWindow {
  definition: WindowDefinition;
  /** Not yet resolved. */
  selection: MonitorSelectionDto;
}

export type WindowOutcome = { window: AcceptedWindow; errors: [] } | { window: null; errors: FieldError[] };

const MIN_LENGTH_MS = 60_000;
const MAX_LENGTH_MS = 30 * DAY_MS;

/** Validates a whole window, as sent or after a merge. `null` has the same effect as omitting a field. */
export function readWindow(body: JsonObject): WindowOutcome {
  const { instance: dto, errors } = inspectBody(CreateMaintenanceWindowDto, body, { readOnly: READ_ONLY_FIELDS });
  if (errors.length === 0) errors.push(...scheduleFaults(dto));
  if (errors.length > 0) return { window: null, errors };
  return {
    errors: [],
    window: {
      definition: {
        key: dto.key ?? null,
        name: dto.name,
        description: dto.description ?? null,
        startsAt: dto.startsAt == null ? null : new Date(dto.startsAt),
        endsAt: dto.endsAt == null ? null : new Date(dto.endsAt),
        timezone: dto.timezone ?? 'UTC',
        rrule: dto.rrule ?? null,
        public: dto.public ?? true,
        notifySubscribers: dto.notifySubscribers ?? dto.rrule == null,
      },
      selection: { monitorIds: dto.monitorIds, tags: dto.tags },
    },
  };
}

function scheduleFaults({ startsAt, endsAt, rrule, timezone }: CreateMaintenanceWindowDto): FieldError[] {
  const fault = (pointer: string, code: FieldErrorCode, detail: string): FieldError[] => [{ pointer, code, detail }];
  if (startsAt == null && endsAt == null) {
    return rrule == null ? [] : fault('/rrule', 'not_applicable', 'Only a window with startsAt and endsAt can recur.');
  }
  if (startsAt == null) return fault('/startsAt', 'required', 'Set both startsAt and endsAt, or neither.');
  if (endsAt == null) return fault('/endsAt', 'required', 'Set both startsAt and endsAt, or neither.');
  const startsAtMs = Date.parse(startsAt);
  const endsAtMs = Date.parse(endsAt);
  const lengthMs = endsAtMs - startsAtMs;
  if (lengthMs <= 0) return fault('/endsAt', 'out_of_range', 'endsAt must be later than startsAt.');
  if (lengthMs < MIN_LENGTH_MS || lengthMs > MAX_LENGTH_MS) {
    return fault('/endsAt', 'out_of_range', 'An occurrence must last from one minute to 30 days.');
  }
  const wrong = ruleFault({ startsAtMs, endsAtMs, timezone: timezone ?? 'UTC', rrule: rrule ?? null });
  return wrong === null ? [] : fault('/rrule', 'invalid_value', `The rule ${wrong}.`);
}
