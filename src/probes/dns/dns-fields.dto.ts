import { Type } from 'class-transformer';
import { ArrayMaxSize, IsIn, IsObject, IsOptional, IsString, ValidateNested } from 'class-validator';
import { type Assertion, type AssertionSource } from '../../domain/assertions.js';
import { AssertionDto, AssertionList } from '../assertion.dto.js';
import { Rule } from '../rule.decorator.js';
import { parseNameServer } from './name-server.js';
import { questionName } from './question-name.js';
import { RECORD_TYPES, type RecordType } from './record-query.js';

/** One expectation of a dns check. */
export class DnsAssertion extends AssertionDto {
  static override readonly sources: readonly AssertionSource[] = ['dnsRecord', 'responseTimeMs'];
  static override readonly example: Assertion = {
    source: 'dnsRecord',
    comparison: 'equals',
    target: '10 mail.example.com',
  };
}

/** What is asked of which name server. */
export class DnsSettings {
  /**
   * The type of the records.
   * @example "MX"
   */
  @IsIn(RECORD_TYPES)
  recordType: RecordType;

  /**
   * IP address of the name server, with a port unless that is 53: `192.0.2.53`, `192.0.2.53:5353`,
   * `[2001:db8::53]:5353`. Null: the name servers of the machine that checks.
   * @example "192.0.2.53"
   */
  @IsOptional()
  @IsString()
  @Rule('invalid_value', nameServerProblem, 'nameServer')
  nameserver?: string | null;
}

/** The fields of a monitor of type `dns`. */
export class DnsFields {
  /** For the documentation: the classes of nested members. */
  static readonly models = [DnsAssertion, DnsSettings];

  /**
   * The name to ask for; labels may have underscores. For PTR also an IP address, which means its reverse name.
   * @example "example.com"
   */
  @IsString()
  @Rule('invalid_value', nameProblem, 'name')
  host: string;

  /**
   * What is asked, and whom.
   * @example { "recordType": "MX", "nameserver": null }
   */
  @IsObject()
  @ValidateNested()
  @Type(() => DnsSettings)
  settings: DnsSettings;

  /**
   * What must hold of the answer, at most 20 expectations. `dnsRecord` are the records of the type asked for, each as
   * one text: names in lower case without the final dot, MX as `10 mail.example.com`, SRV as `10 60 5060
   * sip.example.com`, CAA as `0 issue "letsencrypt.org"`, TXT as its strings joined, SOA as in a zone file. Of several
   * records one must fit; for a negation (`not…`) none may.
   * @example [{ "source": "dnsRecord", "comparison": "equals", "target": "10 mail.example.com" }]
   */
  @ArrayMaxSize(20)
  @Rule('invalid_value', otherTypeProblem, 'recordType', { each: true })
  @AssertionList(() => DnsAssertion)
  assertions?: DnsAssertion[];
}

function nameProblem(host: unknown, fields: object): string | null {
  if (typeof host !== 'string') return null;
  return questionName(host, recordTypeOf(fields)) === null ? 'must be a name that can stand in DNS' : null;
}

function nameServerProblem(value: unknown): string | null {
  const known = typeof value !== 'string' || parseNameServer(value);
  return known ? null : 'must be an IP address, with a port where it is not 53';
}

/** The answer holds records of one type: an assertion about another would never see any. */
function otherTypeProblem(assertion: unknown, fields: object): string | null {
  const { property } = (assertion ?? {}) as { property?: unknown };
  if (typeof property !== 'string' || property === '' || property.toUpperCase() === recordTypeOf(fields)) return null;
  return 'must speak of the record type that is asked for, or of none';
}

/** Rules see the fields as they were sent: `settings` may be anything. */
function recordTypeOf(fields: object): string {
  const { settings } = fields as { settings?: { recordType?: unknown } | null };
  return String(settings?.recordType);
}
