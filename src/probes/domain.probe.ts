import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsObject,
  IsOptional,
  IsString,
  Length,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import { type Assertion, type AssertionSource } from '../domain/assertions.js';
import { type ProbeOutcome } from '../domain/check-result.js';
import { cutLine } from '../domain/cut.js';
import { DAY_MS } from '../domain/durations.js';
import { AssertionDto, AssertionList } from './assertion.dto.js';
import { parseHost } from './net/host-literal.js';
import { ProbeFault } from './net/probe-fault.js';
import { observe } from './observation.js';
import { type ProbeContext, type ProbeDefinition } from './probe.js';
import { hostField } from './probe-form.js';
import { ask, findServer, serverProblem } from './rdap/rdap-client.js';
import { type Registration, registrationIn, statusWords } from './rdap/registration.js';
import { MayBeLeftOut, Rule } from './rule.decorator.js';

const NOT_FOUND = 404;
const MAX_REGISTRAR = 300;
/** Statuses (RFC 8056) of a domain that does not work, or soon will not. */
const REJECTED_STATUSES = ['client hold', 'server hold', 'redemption period', 'pending delete'];

/** An assertion about the registration of a domain. */
export class DomainAssertion extends AssertionDto {
  static override readonly sources: readonly AssertionSource[] = ['domainDaysLeft', 'jsonBody', 'responseTimeMs'];
  static override readonly example: Assertion = { source: 'domainDaysLeft', comparison: 'greaterThan', target: 30 };
}

/** Where a check asks, and what it expects. */
export class DomainSettings {
  /**
   * The base URL of the RDAP server. Null for the one that IANA names for the top-level domain.
   * @example "https://rdap.verisign.com/com/v1/"
   */
  @IsOptional()
  @IsString()
  @MaxLength(2_048)
  @Rule('invalid_value', serverProblem, 'server')
  server?: string | null;

  /**
   * A text that the name of the registrar must contain, in any case. Null for any registrar.
   * @example "Example Registrar"
   */
  @IsOptional()
  @IsString()
  @Length(1, 200)
  registrar?: string | null;

  /**
   * Statuses with which the check fails, as in RDAP (RFC 8056) or in EPP (`clientHold`). The default are those of a domain
   * that does not work, or soon will not.
   * @example ["client hold", "server hold", "redemption period", "pending delete"]
   */
  @MayBeLeftOut()
  @IsArray()
  @ArrayMaxSize(20)
  @IsString({ each: true })
  @Length(1, 50, { each: true })
  rejectedStatuses?: string[];
}

/** The fields of a monitor of type `domain`. */
export class DomainFields {
  /** Classes of nested members, for the documentation. */
  static readonly models = [DomainAssertion, DomainSettings];

  /**
   * The registered domain, such as `example.com`, not a name below it.
   * @example "example.com"
   */
  @IsString()
  @Rule('invalid_value', domainProblem, 'domain')
  host: string;

  /**
   * Where the check asks, and what it expects of the registration.
   * @example { "server": null, "registrar": null, "rejectedStatuses": ["client hold", "server hold"] }
   */
  @MayBeLeftOut()
  @IsObject()
  @ValidateNested()
  @Type(() => DomainSettings)
  settings?: DomainSettings;

  /**
   * At most 20 assertions. `domainDaysLeft` is the number of whole days until the registration expires; `jsonBody` means
   * the response of the RDAP server (RFC 9083).
   * @example [{ "source": "domainDaysLeft", "comparison": "greaterThan", "target": 30 }]
   */
  @ArrayMaxSize(20)
  @AssertionList(() => DomainAssertion)
  assertions?: DomainAssertion[];
}

const settings = { server: null, registrar: null, rejectedStatuses: REJECTED_STATUSES };

export const domainProbe: ProbeDefinition<DomainFields> = {
  type: 'domain',
  label: 'Domain registration',
  summary: 'Asks the registry (RDAP) about a domain; passes if it is registered, has not expired, and is not on hold.',
  example: {
    key: 'company-domain',
    name: 'Company domain',
    host: 'example.com',
    assertions: [DomainAssertion.example],
  },
  fields: DomainFields,
  defaults: { settings, assertions: [] },
  intervalSeconds: 86_400,
  form: {
    gist: 'A domain and its expiry',
    essential: [hostField('The registered domain, for example example.com.')],
    request: [
      {
        pointer: '/settings/server',
        label: 'RDAP server',
        kind: 'url',
        help: 'Its base URL. If empty, the one that IANA names for the top-level domain.',
      },
    ],
    judged: [
      { pointer: '/settings/registrar', label: 'Registrar', kind: 'text', help: 'Its name must contain this text.' },
      {
        pointer: '/settings/rejectedStatuses',
        label: 'Rejected statuses',
        kind: 'list',
        help: 'Comma-separated, for example client hold, pending delete.',
      },
    ],
    sources: DomainAssertion.sources,
    initialAssertions: [DomainAssertion.example],
  },
  target: ({ host }) => host,
  hosts: ({ settings: { server } = settings }) => {
    return server == null ? [] : [{ pointer: '/settings/server', host: new URL(server).hostname }];
  },
  secretPaths: () => [],
  secretScope: ({ host }) => host,
  probe: checkDomain,
};

function checkDomain(fields: DomainFields, context: ProbeContext): Promise<ProbeOutcome> {
  const { server, registrar, rejectedStatuses } = { ...settings, ...fields.settings };
  return observe(fields.assertions ?? [], context, async (seen) => {
    const meaning = parseHost(fields.host);
    const domain = meaning.kind === 'name' ? meaning.name : fields.host;
    const reply = await ask(server ?? (await findServer(domain, seen, context)), domain, seen, context);
    seen.responseTimeMs = seen.clock.elapsedMs();
    seen.statusCode = reply.statusCode;
    if (reply.statusCode === NOT_FOUND) throw new ProbeFault('domain_not_found', 'The domain is not registered.');
    const registration = registrationIn(reply.json);
    context.onRegistration({
      domain,
      registrar: registration.registrar && cutLine(registration.registrar, MAX_REGISTRAR),
      expiresAt: registration.expiresAtMs,
    });
    const domainDaysLeft = daysLeft(registration, Date.now());
    judgeRegistration(registration, domainDaysLeft, registrar, rejectedStatuses);
    return { body: reply.text, domainDaysLeft };
  });
}

function judgeRegistration(
  registration: Registration,
  left: number | null,
  registrar: string | null,
  rejectedStatuses: readonly string[],
): void {
  if (left !== null && left < 0) throw new ProbeFault('domain_expired', 'The registration of the domain has expired.');
  const rejecting = new Set(rejectedStatuses.map(statusWords));
  const rejected = registration.statuses.find((status) => rejecting.has(statusWords(status)));
  if (rejected !== undefined) {
    throw new ProbeFault('unexpected_status', `The domain has the status "${cutLine(rejected, 50)}".`);
  }
  if (registrar === null || registration.registrar?.toLowerCase().includes(registrar.toLowerCase())) return;
  throw new ProbeFault('unexpected_response', 'The domain has another registrar.');
}

function daysLeft({ expiresAtMs }: Registration, nowMs: number): number | null {
  return expiresAtMs === null ? null : Math.floor((expiresAtMs - nowMs) / DAY_MS);
}

function domainProblem(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const meaning = parseHost(value);
  const isDomain = meaning.kind === 'name' && meaning.name.includes('.');
  return isDomain ? null : 'must be a domain such as example.com';
}
