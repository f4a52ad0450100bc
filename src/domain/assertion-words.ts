import { type Assertion } from './assertions.js';

/** The sources and comparisons of assertions as words. */
export const SOURCE_WORDS: Readonly<Record<Assertion['source'], string>> = {
  statusCode: 'status code',
  responseTimeMs: 'response time (ms)',
  header: 'header',
  textBody: 'text body',
  jsonBody: 'JSON body',
  responseBodySize: 'body size (bytes)',
  tlsDaysLeft: 'certificate expires in (days)',
  tlsProtocol: 'TLS version',
  certificateFingerprint: 'certificate fingerprint (SHA-256)',
  dnsRecord: 'DNS record',
  packetLossPercent: 'packet loss (%)',
  jitterMs: 'jitter (ms)',
  value: 'value',
  domainDaysLeft: 'domain expires in (days)',
  runSeconds: 'duration of the run (s)',
};

export const COMPARISON_WORDS: Readonly<Record<Assertion['comparison'], string>> = {
  equals: 'is',
  notEquals: 'is not',
  contains: 'contains',
  notContains: 'does not contain',
  matches: 'matches',
  notMatches: 'does not match',
  greaterThan: 'is greater than',
  lessThan: 'is less than',
  exists: 'exists',
  notExists: 'does not exist',
  isEmpty: 'is empty',
  isNotEmpty: 'is not empty',
  matchesSchema: 'matches the JSON schema',
};

/** Returns an assertion in words, such as `JSON body $.status is "ok"`; without a schema, which may be long. */
export function assertionWords({ source, property, comparison, target }: Assertion): string {
  const parts = [SOURCE_WORDS[source], property, COMPARISON_WORDS[comparison]];
  const isOmitted = target == null || comparison === 'matchesSchema';
  return [...parts, isOmitted ? null : JSON.stringify(target)].filter(Boolean).join(' ');
}

/** Sources whose values are figures, and not content of a response. */
const FIGURES: ReadonlySet<Assertion['source']> = new Set([
  'statusCode',
  'responseTimeMs',
  'responseBodySize',
  'tlsDaysLeft',
  'tlsProtocol',
  'packetLossPercent',
  'jitterMs',
  'domainDaysLeft',
  'runSeconds',
]);

/**
 * Returns a failed assertion in words, with the actual value if that is a figure; others may be confidential content of
 * a response.
 */
export function failureWords(assertion: Assertion, actual: string | number | null): string {
  const words = assertionWords(assertion);
  if (assertion.comparison === 'matchesSchema') return actual === null ? words : `${words} (violates ${actual})`;
  return FIGURES.has(assertion.source) && actual !== null ? `${words} (was ${actual})` : words;
}
