import { declaredNames } from '../../../http/body/dto-faults.js';
import { PROBES } from '../../../probes/index.js';
import { type ProbeDefinition } from '../../../probes/probe.js';
import { CreateMonitorDto } from '../dto/monitor-definition.dto.js';

/** Every name that the API gives to type-specific fields, also where no type uses it yet: it reads null then. */
const CONTRACT_FIELDS = [
  'url',
  'host',
  'port',
  'method',
  'headers',
  'body',
  'auth',
  'followRedirects',
  'maxRedirects',
  'verifyTls',
  'expectedStatusCodes',
  'assertions',
  'settings',
];

const byProbe = new Map<ProbeDefinition, ReadonlySet<string>>(
  PROBES.map((probe) => [probe, declaredNames(probe.fields)]),
);

/** The fields that every monitor can be written with. */
export const COMMON_FIELDS = declaredNames(CreateMonitorDto);

/** Which type-specific fields there are: follows from the validators of the probes' classes. */
export const TYPE_FIELDS = {
  any: new Set([...CONTRACT_FIELDS, ...[...byProbe.values()].flatMap((names) => [...names])]),
  of: (probe: ProbeDefinition): ReadonlySet<string> => byProbe.get(probe) ?? new Set(),
};
