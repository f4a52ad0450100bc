import { isIP } from 'node:net';
import { type ProbeOutcome } from '../domain/check-result.js';
import { cut } from '../domain/cut.js';
import { DnsAssertion, DnsFields, type DnsSettings } from './dns/dns-fields.dto.js';
import { type DnsReply } from './dns/dns-message.js';
import { type NameServer, nameServerText, parseEncryptedServer, parseNameServer } from './dns/name-server.js';
import { questionName } from './dns/question-name.js';
import { queryRecords, type Question, RECORD_TYPES } from './dns/record-query.js';
import { ProbeFault } from './net/probe-fault.js';
import { type Observation, observe } from './observation.js';
import { type NamedHost, type ProbeContext, type ProbeDefinition } from './probe.js';
import { choicesOf, yesNoField } from '../domain/form-field.js';
import { hostField } from './probe-form.js';

export { DnsFields };

/** Characters of a record that a message contains. */
const SHOWN_CHARACTERS = 200;
const settings = { nameserver: null, transport: 'udp', dnssec: false, expectedRecords: null } as const;
const defaults = { settings, assertions: [] };

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
  defaults,
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
    request: [
      {
        pointer: '/settings/transport',
        label: 'Transport',
        kind: 'text',
        choices: [
          { value: 'udp', label: 'UDP and TCP' },
          { value: 'tls', label: 'TLS: name server as a host name or an IP address' },
          { value: 'https', label: 'HTTPS: name server as a URL' },
        ],
        brief: (texts) => (texts('transport') === 'udp' ? null : `DNS over ${texts('transport').toUpperCase()}`),
      },
    ],
    judged: [
      {
        pointer: '/settings/expectedRecords',
        label: 'Expected records',
        kind: 'json',
        lines: 2,
        help: 'All records, in any order, for example ["192.0.2.1", "192.0.2.2"].',
        brief: (texts) => (texts('expectedRecords') === '' ? null : 'exact records'),
      },
      {
        ...yesNoField('/settings/dnssec', 'Require DNSSEC', 'The name server must have verified the records.'),
        brief: (texts) => (texts('dnssec') === 'true' ? 'DNSSEC' : null),
      },
    ],
    sources: DnsAssertion.sources,
  },
  target({ host, settings: { recordType, ...asked } }) {
    const server = serverHost(asked);
    // The path of a URL may identify the customer of the name server.
    const shown = asked.transport === 'https' ? server : asked.nameserver;
    return `${recordType} ${host}${shown == null ? '' : ` @${shown}`}`;
  },
  hosts({ host, settings }) {
    const server = serverHost(settings);
    const named: NamedHost[] = server === null ? [] : [{ pointer: '/settings/nameserver', host: server }];
    // The host is only queried, not connected to. But a reverse look-up would reveal information about its address.
    return isIP(host) ? [...named, { pointer: '/host', host }] : named;
  },
  secretPaths: () => [],
  secretScope: ({ host }) => host,
  probe: checkDns,
};

function checkDns(fields: DnsFields, context: ProbeContext): Promise<ProbeOutcome> {
  const { host, assertions = [] } = fields;
  const { recordType: type, dnssec, expectedRecords, ...asked } = { ...settings, ...fields.settings };
  return observe(assertions, context, async (seen) => {
    const name = questionName(host, type);
    if (name === null) throw new ProbeFault('dns_not_found', 'The host is not a valid DNS name.');
    const { records, isAuthenticated } = await ask({ name, type }, { dnssec, ...asked }, seen, context);
    if (asked.transport === 'udp') seen.clock.lap('dnsMs');
    seen.responseTimeMs = seen.clock.elapsedMs();
    if (records.length === 0) {
      throw new ProbeFault('dns_not_found', 'The name does not exist in DNS, or has no record of this type.');
    }
    if (dnssec && !isAuthenticated) {
      throw new ProbeFault('unexpected_response', 'The name server has not verified the records with DNSSEC.');
    }
    if (expectedRecords) judgeRecords(records, expectedRecords);
    return { dnsRecords: records.map((value) => ({ type, value })) };
  });
}

async function ask(
  question: Question,
  { nameserver, transport, dnssec }: Pick<DnsSettings, 'nameserver' | 'transport' | 'dnssec'>,
  seen: Observation,
  context: ProbeContext,
): Promise<Pick<DnsReply, 'records' | 'isAuthenticated'>> {
  if (transport === 'tls' || transport === 'https') {
    const server = parseEncryptedServer(nameserver ?? '', transport);
    if (!server) throw new Error('the stored name server is invalid');
    const { askEncrypted } = await import('./dns/dns-transports.js');
    return askEncrypted(question, server, seen, context);
  }
  const server = nameserver == null ? null : await reachableServer(nameserver, context);
  seen.remoteAddress = server?.address ?? null;
  if (!dnssec) {
    const records = await queryRecords(question, server && nameServerText(server), context);
    return { records, isAuthenticated: false };
  }
  const { askPlain, systemServers } = await import('./dns/dns-transports.js');
  return askPlain(question, server ? [server] : systemServers(), context);
}

/** @throws ProbeFault unless the records are exactly these, in any order */
function judgeRecords(records: readonly string[], expected: readonly string[]): void {
  const missing = expected.find((record) => !records.includes(record));
  if (missing !== undefined) throw new ProbeFault('unexpected_response', `There is no record ${shown(missing)}.`);
  const other = records.find((record) => !expected.includes(record));
  if (other !== undefined)
    throw new ProbeFault('unexpected_response', `There is an unexpected record ${shown(other)}.`);
}

function shown(record: string): string {
  return record.length > SHOWN_CHARACTERS ? `${cut(record, SHOWN_CHARACTERS)}…` : record;
}

/** Returns the host of the name server that a definition names. */
function serverHost({ nameserver, transport }: Pick<DnsSettings, 'nameserver' | 'transport'>): string | null {
  if (nameserver == null) return null;
  if (transport !== 'tls' && transport !== 'https') return parseNameServer(nameserver)?.address ?? null;
  const server = parseEncryptedServer(nameserver, transport);
  return server && ('url' in server ? server.url.hostname : server.host);
}

/** Applies the address policy to a name server from a definition. The system's servers are the operator's choice. */
async function reachableServer(text: string, { egress, deadline }: ProbeContext): Promise<NameServer> {
  const server = parseNameServer(text);
  if (!server) throw new Error('the stored name server is invalid');
  await egress.reachable([server.address], server.port, deadline);
  return server;
}
