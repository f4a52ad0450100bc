import { isIP } from 'node:net';
import { type ProbeOutcome } from '../domain/check-result.js';
import { DnsAssertion, DnsFields } from './dns/dns-fields.dto.js';
import { type NameServer, nameServerText, parseNameServer } from './dns/name-server.js';
import { questionName } from './dns/question-name.js';
import { RECORD_TYPES, queryRecords } from './dns/record-query.js';
import { ProbeFault } from './net/probe-fault.js';
import { observe } from './observation.js';
import { type NamedHost, type ProbeContext, type ProbeDefinition } from './probe.js';
import { choicesOf } from '../domain/form-field.js';
import { hostField } from './probe-form.js';

export { DnsFields };

export const dnsProbe: ProbeDefinition<DnsFields> = {
  type: 'dns',
  label: 'DNS',
  summary: 'Queries the DNS records of a name; passes if there is at least one and all assertions about them hold.',
  example: {
    key: 'checkout-address',
    name: 'Checkout address',
    host: 'example.com',
    settings: { recordType: 'A', nameserver: null },
  },
  fields: DnsFields,
  defaults: { settings: { nameserver: null }, assertions: [] },
  form: {
    gist: 'The records of a name',
    essential: [
      hostField('The name to query.'),
      { pointer: '/settings/recordType', label: 'Record type', kind: 'text', choices: choicesOf(RECORD_TYPES) },
      {
        pointer: '/settings/nameserver',
        label: 'Name server',
        kind: 'text',
        help: 'An IP address, optionally with a port (default: 53). If empty, the name servers of the checking machine are used.',
      },
    ],
    sources: DnsAssertion.sources,
  },
  target({ host, settings: { recordType, nameserver } }) {
    return `${recordType} ${host}${nameserver == null ? '' : ` @${nameserver}`}`;
  },
  hosts({ host, settings: { nameserver } }) {
    const server = nameserver == null ? null : parseNameServer(nameserver);
    const named: NamedHost[] = server ? [{ pointer: '/settings/nameserver', host: server.address }] : [];
    // The host is only queried, not connected to. But a reverse look-up would reveal information about its address.
    return isIP(host) ? [...named, { pointer: '/host', host }] : named;
  },
  secretPaths: () => [],
  secretScope: ({ host }) => host,
  probe: checkDns,
};

function checkDns({ host, settings, assertions = [] }: DnsFields, context: ProbeContext): Promise<ProbeOutcome> {
  const { recordType: type, nameserver } = settings;
  return observe(assertions, context, async (seen) => {
    const name = questionName(host, type);
    if (name === null) throw new ProbeFault('dns_not_found', 'The host is not a valid DNS name.');
    const server = nameserver == null ? null : await reachableServer(nameserver, context);
    const records = await queryRecords({ name, type, server: server && nameServerText(server) }, context);
    seen.clock.lap('dnsMs');
    seen.responseTimeMs = seen.clock.elapsedMs();
    seen.remoteAddress = server?.address ?? null;
    if (records.length === 0) {
      throw new ProbeFault('dns_not_found', 'The name does not exist in DNS, or has no record of this type.');
    }
    return { dnsRecords: records.map((value) => ({ type, value })) };
  });
}

/** Applies the address policy to a name server from a definition. The system's servers are the operator's choice. */
async function reachableServer(text: string, { egress, deadline }: ProbeContext): Promise<NameServer> {
  const server = parseNameServer(text);
  if (!server) throw new Error('the stored name server is invalid');
  await egress.reachable([server.address], server.port, deadline);
  return server;
}
