import { declaredNames } from '../../../http/body/dto-faults.js';
import { isJsonObject } from '../../../http/body/json.js';
import { PROBES } from '../../../probes/index.js';
import { type ProbeDefinition } from '../../../probes/probe.js';
import { CreateMonitorDto } from '../dto/monitor-definition.dto.js';

/** All type-specific fields of the API, including those that no type uses yet, which are always null. */
const CONTRACT_FIELDS = [
  'url',
  'host',
  'port',
  'method',
  'headers',
  'secretHeaders',
  'body',
  'auth',
  'followRedirects',
  'maxRedirects',
  'verifyTls',
  'expectedStatusCodes',
  'assertions',
  'settings',
  'token',
];

const byProbe = new Map<ProbeDefinition, ReadonlySet<string>>(
  PROBES.map((probe) => [probe, declaredNames(probe.fields)]),
);

/** The writable fields that all monitor types have in common. */
export const COMMON_FIELDS = declaredNames(CreateMonitorDto);

/** The common fields that only monitors have which check a target. */
export const CHECKING_FIELDS = ['intervalSeconds', 'timeoutMs', 'retryIntervalSeconds', 'locations', 'quorum'] as const;

/** The type-specific fields, derived from the validators of the probes' classes. */
export const TYPE_FIELDS = {
  any: new Set([...CONTRACT_FIELDS, ...[...byProbe.values()].flatMap((names) => [...names])]),
  of: (probe: ProbeDefinition): ReadonlySet<string> => byProbe.get(probe) ?? new Set(),
};

/** Objects whose members the caller names, at any depth of the type-specific fields. */
export const VALUE_MAPS: ReadonlySet<string> = new Set(['headers', 'metadata']);

/**
 * Returns type-specific fields with the defaults of those that are absent, including members of nested objects: fields
 * that a caller omitted, or that did not exist yet when a definition was stored.
 */
export function withDefaults(
  given: Record<string, unknown>,
  defaults: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const merged = Object.entries(given).map(([name, value]) => {
    const below = defaults[name];
    return [name, isJsonObject(value) && isJsonObject(below) ? { ...below, ...value } : value] as const;
  });
  return { ...defaults, ...Object.fromEntries(merged) };
}
