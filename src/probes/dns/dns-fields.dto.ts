import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsBoolean,
  IsIn,
  IsObject,
  IsOptional,
  IsString,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import { type Assertion, type AssertionSource } from '../../domain/assertions.js';
import { AssertionDto, AssertionList } from '../assertion.dto.js';
import { MayBeLeftOut, Rule } from '../rule.decorator.js';
import { parseEncryptedServer, parseNameServer, type Transport, TRANSPORTS } from './name-server.js';
import { questionName } from './question-name.js';
import { RECORD_TYPES, type RecordType } from './record-query.js';

/** An assertion about a DNS check. */
export class DnsAssertion extends AssertionDto {
  static override readonly sources: readonly AssertionSource[] = ['dnsRecord', 'responseTimeMs'];
  static override readonly example: Assertion = {
    source: 'dnsRecord',
    comparison: 'equals',
    target: '10 mail.example.com',
  };
}

/** The query, the name server to send it to, and what it must answer. */
export class DnsSettings {
  /**
   * The record type to query.
   * @example "MX"
   */
  @IsIn(RECORD_TYPES)
  recordType: RecordType;

  /**
   * The name server. For `udp` an IP address, optionally with a port (default: 53): `192.0.2.53`, `192.0.2.53:5353`,
   * `[2001:db8::53]:5353`; null means the name servers of the machine that runs the check. For `tls` an IP address or a
   * host name, optionally with a port (default: 853). For `https` a URL. At most 2,048 characters.
   * @example "192.0.2.53"
   */
  @IsOptional()
  @IsString()
  @MaxLength(2_048)
  @Rule('invalid_value', nameServerProblem, 'nameServer')
  nameserver?: string | null;

  /**
   * How the name server is asked: `udp` by datagrams, with TCP for long responses, `tls` by DNS over TLS, `https` by DNS
   * over HTTPS. Default `udp`.
   * @example "udp"
   */
  @MayBeLeftOut()
  @IsIn(TRANSPORTS)
  @Rule('invalid_value', serverMissing, 'serverMissing')
  transport?: Transport;

  /**
   * Whether the name server must state that it has verified the records with DNSSEC, which it does by the flag AD. Default
   * false.
   * @example false
   */
  @MayBeLeftOut()
  @IsBoolean()
  dnssec?: boolean;

  /**
   * The exact set of records, in any order: 1 to 50, in the form in which assertions compare them. Null for any records.
   * @example ["10 mail.example.com"]
   */
  @IsOptional()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(50)
  @IsString({ each: true })
  @MaxLength(1_000, { each: true })
  expectedRecords?: string[] | null;
}

/** The fields of a monitor of type `dns`. */
export class DnsFields {
  /** Classes of nested members, for the documentation. */
  static readonly models = [DnsAssertion, DnsSettings];

  /**
   * The name to query; labels may contain underscores. For PTR, an IP address is also valid and means its reverse name.
   * @example "example.com"
   */
  @IsString()
  @Rule('invalid_value', nameProblem, 'name')
  host: string;

  /**
   * The query, the name server, and which records are expected.
   * @example { "recordType": "MX", "nameserver": null }
   */
  @IsObject()
  @ValidateNested()
  @Type(() => DnsSettings)
  settings: DnsSettings;

  /**
   * At most 20 assertions about the response. `dnsRecord` means the records of the queried type, each as one text:
   * names in lower case without the final dot, MX as `10 mail.example.com`, SRV as `10 60 5060 sip.example.com`, CAA as
   * `0 issue "letsencrypt.org"`, TXT as its strings joined, SOA as in a zone file. If there are several records, the
   * comparison must hold for at least one of them; a negation (`not…`) holds if the comparison holds for none.
   * @example [{ "source": "dnsRecord", "comparison": "equals", "target": "10 mail.example.com" }]
   */
  @ArrayMaxSize(20)
  @Rule('invalid_value', otherTypeProblem, 'recordType', { each: true })
  @AssertionList(() => DnsAssertion)
  assertions?: DnsAssertion[];
}

function nameProblem(host: unknown, fields: object): string | null {
  if (typeof host !== 'string') return null;
  return questionName(host, recordTypeOf(fields)) === null ? 'must be a valid DNS name' : null;
}

function nameServerProblem(value: unknown, settings: object): string | null {
  if (typeof value !== 'string') return null;
  const { transport } = settings as DnsSettings;
  if (transport === 'tls' && !parseEncryptedServer(value, transport)) {
    return 'must be a host name or an IP address, optionally with a port (default: 853)';
  }
  if (transport === 'https' && !parseEncryptedServer(value, transport)) return 'must be an absolute https URL';
  if (transport === 'tls' || transport === 'https' || parseNameServer(value)) return null;
  return 'must be an IP address, optionally with a port (default: 53)';
}

function serverMissing(transport: unknown, settings: object): string | null {
  const isMissing = (settings as DnsSettings).nameserver == null;
  return isMissing && (transport === 'tls' || transport === 'https') ? 'must be udp unless nameserver is set' : null;
}

/** The response contains records of one type only, so an assertion about another type would never find any. */
function otherTypeProblem(assertion: unknown, fields: object): string | null {
  const { property } = (assertion ?? {}) as { property?: unknown };
  if (typeof property !== 'string' || property === '' || property.toUpperCase() === recordTypeOf(fields)) return null;
  return 'must have no property, or the queried record type as its property';
}

/** Rules receive the fields before they are fully validated, so `settings` can be any value. */
function recordTypeOf(fields: object): string {
  const { settings } = fields as { settings?: { recordType?: unknown } | null };
  return String(settings?.recordType);
}
