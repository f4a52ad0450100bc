import { type FieldErrorCode } from '../../domain/field-error-codes.js';
import { asJson, type JsonObject } from '../../http/body/json.js';
import { type FieldError } from '../../http/problems/problem.js';
import { inspectBody } from '../../http/body/validation.js';
import { type AccessType, CreateStatusPageDto, type Theme } from './dto/create-status-page.dto.js';
import { READ_ONLY_FIELDS } from './dto/status-page.dto.js';
import { type SentComponent } from './page-components.js';

/** What validating a page depends on in addition to the body. */
export interface PageRules {
  /** Whether a password is stored, which is kept if none is sent. */
  hasPassword: boolean;
  /** Whether every host name is one of the service's own. */
  ownsAnyHost: boolean;
  /** Returns whether a host name is one of the service's own. */
  isOwnHost(host: string): boolean;
  /** Returns whether a host literally names an address that links of the service must not point to. */
  refusesHost(host: string): boolean;
}

/** The definition of a valid page: every field has a value. */
export interface PageDefinition {
  key: string | null;
  name: string;
  slug: string;
  customDomain: string | null;
  description: string | null;
  published: boolean;
  accessType: AccessType;
  timezone: string;
  historyDays: number;
  theme: Theme;
  accentColor: string | null;
  logoUrl: string | null;
  homepageUrl: string | null;
  announceDetected: boolean;
  announceAfterSeconds: number;
  showLocations: boolean;
}

export interface AcceptedPage {
  definition: PageDefinition;
  /** In plain text; null if none was sent. */
  password: string | null;
  /** Null if the body does not mention components. */
  components: SentComponent[] | null;
}

export type PageOutcome = { page: AcceptedPage; errors: [] } | { page: null; errors: FieldError[] };

/** Validates a complete page, as sent or as it is after a merge. A null field is the same as an omitted one. */
export function readPage(body: JsonObject, rules: PageRules): PageOutcome {
  const { instance: dto, errors } = inspectBody(CreateStatusPageDto, body, { readOnly: READ_ONLY_FIELDS });
  if (errors.length === 0) errors.push(...crossFaults(dto, rules));
  if (errors.length > 0) return { page: null, errors };
  return {
    errors: [],
    page: {
      definition: {
        key: dto.key ?? null,
        name: dto.name,
        slug: dto.slug,
        customDomain: dto.customDomain ?? null,
        description: dto.description ?? null,
        published: dto.published ?? true,
        accessType: dto.accessType ?? 'public',
        timezone: dto.timezone ?? 'UTC',
        historyDays: dto.historyDays ?? 90,
        theme: dto.theme ?? 'auto',
        accentColor: dto.accentColor?.toLowerCase() ?? null,
        logoUrl: dto.logoUrl ?? null,
        homepageUrl: dto.homepageUrl ?? null,
        announceDetected: dto.announceDetected ?? false,
        announceAfterSeconds: dto.announceAfterSeconds ?? 300,
        showLocations: dto.showLocations ?? false,
      },
      password: dto.password ?? null,
      components: sentComponents(dto),
    },
  };
}

/**
 * Applies a merge patch (RFC 7396) to the stored definition. All members are scalars and arrays, so a shallow merge is
 * sufficient. Nulls remain, so that `readPage` sets the defaults and rejects unknown fields.
 */
export function patchPage(stored: PageDefinition, patch: JsonObject): JsonObject {
  return { ...asJson(stored), ...patch };
}

function crossFaults(dto: CreateStatusPageDto, rules: PageRules): FieldError[] {
  const errors: FieldError[] = [];
  const fault = (pointer: string, code: FieldErrorCode, detail: string): void =>
    void errors.push({ pointer, code, detail });
  if (isGiven(dto.components) && isGiven(dto.monitorIds)) {
    fault('/monitorIds', 'invalid_value', 'Set either components or monitorIds, not both.');
  }
  if (dto.accessType !== 'password') {
    if (isGiven(dto.password))
      fault('/password', 'not_applicable', 'Only a page with accessType "password" can have a password.');
  } else if (dto.password === null || (dto.password === undefined && !rules.hasPassword)) {
    fault('/password', 'required', 'A page with accessType "password" requires a password.');
  }
  if (isGiven(dto.customDomain) && rules.ownsAnyHost) {
    fault('/customDomain', 'unavailable', 'Pages cannot have their own domains while ALLOWED_HOSTS contains "*".');
  } else if (isGiven(dto.customDomain) && rules.isOwnHost(dto.customDomain)) {
    fault('/customDomain', 'invalid_value', 'This host name is used by the service itself. Choose a different one.');
  }
  // Visitors' browsers load the logo: it must not make them send requests to private addresses.
  if (isGiven(dto.logoUrl) && rules.refusesHost(new URL(dto.logoUrl).hostname)) {
    fault('/logoUrl', 'address_blocked', 'A logo must not be at a private or otherwise blocked address.');
  }
  return errors;
}

function sentComponents(dto: CreateStatusPageDto): SentComponent[] | null {
  if (isGiven(dto.monitorIds)) {
    return dto.monitorIds.map((monitorId, index) => ({ monitorId, pointer: `/monitorIds/${index}` }));
  }
  if (dto.components === undefined) return null;
  return (dto.components ?? []).map((sent, index) => ({ ...sent, pointer: `/components/${index}/monitorId` }));
}

function isGiven<T>(value: T | null | undefined): value is T {
  return value !== undefined && value !== null;
}
