import { getMetadataStorage } from 'class-validator';
import { PROBES } from '../../probes/index.js';
import { type ProbeDefinition } from '../../probes/probe.js';

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
  PROBES.map((probe) => [
    probe,
    new Set(
      getMetadataStorage()
        .getTargetValidationMetadatas(probe.fields, '', false, false)
        .map((metadata) => metadata.propertyName),
    ),
  ]),
);

/** Which type-specific fields there are: follows from the validators of the probes' classes. */
export const TYPE_FIELDS = {
  any: new Set([...CONTRACT_FIELDS, ...[...byProbe.values()].flatMap((names) => [...names])]),
  of: (probe: ProbeDefinition): ReadonlySet<string> => byProbe.get(probe) ?? new Set(),
};
