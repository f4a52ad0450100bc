import { DEFAULT_LOCATION } from '../../../domain/location.js';
import { MASK } from '../../../domain/mask.js';
import { type FieldErrorCode } from '../../../domain/field-error-codes.js';
import { type FieldError } from '../../../http/problems/problem.js';
import { type JsonObject, jsonPointer } from '../../../http/body/json.js';
import { inspectBody } from '../../../http/body/validation.js';
import { awaitsReports, PROBES, unavailability } from '../../../probes/index.js';
import { type ProbeDefinition } from '../../../probes/probe.js';
import { mapSecrets, valueAt } from '../../../domain/secret-members.js';
import { CreateMonitorDto } from '../dto/monitor-definition.dto.js';
import { READ_ONLY_FIELDS } from '../dto/monitor.dto.js';
import { CHECKING_FIELDS, COMMON_FIELDS, TYPE_FIELDS, VALUE_MAPS, withDefaults } from './monitor-fields.js';

/** Limits that the operator has configured. */
export interface WriteLimits {
  minIntervalSeconds: number;
  locations: readonly string[];
  /** Returns whether checks may not reach a host, judging by its spelling alone, without resolving it. */
  refusesHost(host: string): boolean;
}

/** A valid definition, with defaults applied and secrets in plain text. */
export interface MonitorDefinition {
  key: string | null;
  name: string;
  description: string | null;
  runbookUrl: string | null;
  type: string;
  fields: Record<string, unknown>;
  target: string;
  /** 0 if the monitor waits for reports instead of checking a target. */
  intervalSeconds: number;
  timeoutMs: number;
  degradedAfterMs: number | null;
  failureThreshold: number;
  recoveryThreshold: number;
  retryIntervalSeconds: number | null;
  locations: string[];
  quorum: string;
  tags: string[];
  /** Addresses as sent by the caller. Whether the monitors exist is checked when the definition is stored. */
  parentIds: string[];
  metadata: Record<string, string>;
  expiresAt: Date | null;
  paused: boolean;
}

export type WriteOutcome = { definition: MonitorDefinition; errors: [] } | { definition: null; errors: FieldError[] };

/**
 * Validates a whole definition, either as sent by the caller or after a merge. `null` has the same effect as omitting a
 * field. `stored` contains the stored fields with secrets in plain text, which replace secrets that are sent masked.
 */
export function readDefinition(
  raw: JsonObject,
  limits: WriteLimits,
  stored: { type: string; fields: object } | null,
  nowMs: number,
): WriteOutcome {
  const body = withoutNulls(raw);
  const probe = PROBES.find((one) => one.type === body.type);
  const typeFields = probe ? TYPE_FIELDS.of(probe) : new Set<string>();
  const common = inspectBody(
    CreateMonitorDto,
    pick(body, (name) => !TYPE_FIELDS.any.has(name)),
    {
      readOnly: READ_ONLY_FIELDS,
    },
  );
  const errors: FieldError[] = [...common.errors];
  if (!probe) return { definition: null, errors };
  const unavailable = stored ? null : unavailability(probe);
  if (unavailable !== null) errors.push({ pointer: '/type', code: 'unavailable', detail: unavailable });

  for (const name of Object.keys(body)) {
    if (!TYPE_FIELDS.any.has(name) || typeFields.has(name)) continue;
    errors.push({
      pointer: `/${name}`,
      code: 'not_applicable',
      detail: `Monitors of type ${probe.type} do not have ${name}.`,
    });
  }
  const typed = inspectBody(
    probe.fields,
    pick(body, (name) => typeFields.has(name)),
  );
  errors.push(...typed.errors);
  if (typed.errors.length === 0) errors.push(...hostFaults(probe, typed.instance, limits));
  const fields = withDefaults(plain(typed.instance), probe.defaults as Record<string, unknown>);
  const secrets = typed.errors.length === 0 ? keepSecrets(probe, fields, stored) : { fields, errors: [] };
  errors.push(...secrets.errors);

  const dto = common.instance;
  const waits = awaitsReports(probe.type);
  if (waits) errors.push(...checkingFaults(dto, probe));
  const intervalSeconds = waits ? 0 : (dto.intervalSeconds ?? probe.intervalSeconds ?? 60);
  const timeoutMs = waits ? 0 : (dto.timeoutMs ?? Math.min(10_000, intervalSeconds * 1_000));
  if (common.errors.length === 0) errors.push(...crossFaults(dto, intervalSeconds, timeoutMs, limits, nowMs));
  if (errors.length > 0) return { definition: null, errors };
  const complete = (probe.complete?.(secrets.fields) ?? secrets.fields) as Record<string, unknown>;
  return {
    errors: [],
    definition: {
      key: dto.key ?? null,
      name: dto.name,
      description: dto.description ?? null,
      runbookUrl: dto.runbookUrl ?? null,
      type: probe.type,
      fields: complete,
      target: probe.target(complete),
      intervalSeconds,
      timeoutMs,
      degradedAfterMs: dto.degradedAfterMs ?? null,
      failureThreshold: dto.failureThreshold ?? (waits ? 1 : 2),
      recoveryThreshold: dto.recoveryThreshold ?? 1,
      retryIntervalSeconds: dto.retryIntervalSeconds ?? null,
      locations: dto.locations ?? [DEFAULT_LOCATION],
      quorum: String(dto.quorum ?? 'majority'),
      tags: dto.tags ?? [],
      parentIds: dto.parentIds ?? [],
      metadata: dto.metadata ?? {},
      expiresAt: expiryOf(dto, nowMs),
      paused: dto.paused ?? false,
    },
  };
}

/** Returns an error for each field of a definition that determines how a target is checked, for a type without one. */
function checkingFaults(dto: CreateMonitorDto, { type }: ProbeDefinition): FieldError[] {
  return CHECKING_FIELDS.filter((name) => dto[name] != null).map((name) => ({
    pointer: `/${name}`,
    code: 'not_applicable',
    detail: `Monitors of type ${type} are not checked, so they do not have ${name}.`,
  }));
}

function crossFaults(
  dto: CreateMonitorDto,
  intervalSeconds: number,
  timeoutMs: number,
  limits: WriteLimits,
  nowMs: number,
): FieldError[] {
  const errors: FieldError[] = [];
  const fault = (pointer: string, code: FieldErrorCode, detail: string): void =>
    void errors.push({ pointer, code, detail });
  if (intervalSeconds > 0 && intervalSeconds < limits.minIntervalSeconds) {
    fault('/intervalSeconds', 'out_of_range', `The interval must be at least ${limits.minIntervalSeconds} seconds.`);
  }
  if (timeoutMs > intervalSeconds * 1_000) {
    fault('/timeoutMs', 'out_of_range', `The timeout must not exceed the interval of ${intervalSeconds} seconds.`);
  }
  const locations = dto.locations ?? [DEFAULT_LOCATION];
  locations.forEach((location, index) => {
    if (!limits.locations.includes(location)) {
      fault(
        `/locations/${index}`,
        'invalid_value',
        `There is no such location. Available locations: ${limits.locations.join(', ')}.`,
      );
    }
  });
  if (typeof dto.quorum === 'number' && dto.quorum > locations.length) {
    fault('/quorum', 'out_of_range', `The quorum must not exceed the number of locations, ${locations.length}.`);
  }
  if (dto.expiresAt != null && dto.expiresInSeconds != null) {
    fault('/expiresInSeconds', 'invalid_value', 'Set either expiresAt or expiresInSeconds, not both.');
  } else if (dto.expiresAt != null && Date.parse(dto.expiresAt) <= nowMs) {
    fault('/expiresAt', 'out_of_range', 'expiresAt must be in the future.');
  }
  return errors;
}

function hostFaults(probe: ProbeDefinition, fields: object, limits: WriteLimits): FieldError[] {
  return probe
    .hosts(fields)
    .filter(({ host }) => limits.refusesHost(host))
    .map(({ pointer }) => ({
      pointer,
      code: 'address_blocked',
      detail: 'This address is blocked. Operators can allow private addresses with ALLOW_PRIVATE_TARGETS.',
    }));
}

/** Replaces masks with the stored secrets, unless the target has changed: they must not be sent to another target. */
function keepSecrets(
  probe: ProbeDefinition,
  fields: Record<string, unknown>,
  stored: { type: string; fields: object } | null,
): { fields: Record<string, unknown>; errors: FieldError[] } {
  const errors: FieldError[] = [];
  const keeps = stored?.type === probe.type ? stored.fields : null;
  const resolved = mapSecrets(probe, fields, (secret, path) => {
    if (secret !== MASK) return secret;
    const storedPath = keeps && (probe.storedPath?.(path, fields, keeps) ?? path);
    const kept = storedPath && valueAt(keeps, storedPath);
    const pointer = jsonPointer(path);
    if (!storedPath || typeof kept !== 'string') {
      errors.push({
        pointer,
        code: 'secret_required',
        detail: 'There is no stored secret to keep. Send the secret itself.',
      });
    } else if (probe.secretScope(keeps, storedPath) !== probe.secretScope(fields, path)) {
      errors.push({
        pointer,
        code: 'secret_required',
        detail: 'The target has changed, and stored secrets are not sent to another target. Send the secret again.',
      });
    } else return kept;
    return secret;
  });
  const known = new Set(probe.secretPaths(fields).map((path) => jsonPointer(path)));
  for (const path of maskedEntries(fields)) {
    const pointer = jsonPointer(path);
    if (known.has(pointer)) continue;
    const detail =
      path.at(-2) === 'headers'
        ? 'This header is not secret. Send its value, or add its name to secretHeaders to keep the stored value.'
        : 'This entry is not secret, so there is no stored secret to keep. Send its value.';
    errors.push({ pointer, code: 'secret_required', detail });
  }
  return { fields: resolved, errors };
}

/** Returns the paths to the headers and metadata whose value is the mask, at any depth. */
function maskedEntries(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  const isMap = VALUE_MAPS.has(path.at(-1) ?? '');
  return Object.entries(value).flatMap(([name, member]) =>
    isMap && member === MASK ? [[...path, name]] : maskedEntries(member, [...path, name]),
  );
}

function expiryOf(dto: CreateMonitorDto, nowMs: number): Date | null {
  if (dto.expiresInSeconds != null) return new Date(nowMs + dto.expiresInSeconds * 1_000);
  return dto.expiresAt == null ? null : new Date(dto.expiresAt);
}

/** Removes null fields. Unknown fields are rejected even when null, so they stay. */
function withoutNulls(raw: JsonObject): JsonObject {
  return pick(raw, (name) => raw[name] !== null || !(TYPE_FIELDS.any.has(name) || COMMON_FIELDS.has(name)));
}

function pick(body: JsonObject, wanted: (name: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => wanted(name)));
}

/** Returns a class instance as plain data, in the form in which it is stored. */
function plain(instance: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(instance)) as Record<string, unknown>;
}
