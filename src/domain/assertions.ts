import { type FailedAssertion } from './check-result.js';
import { cut } from './cut.js';
import { forgetPaths, queryJson, selectsOneNode } from './json-query.js';
import { forgetSchemas, loadJsonSchema, schemaViolation } from './json-schema.js';
import { findsPattern, forgetPatterns } from './text-pattern.js';

export const ASSERTION_SOURCES = [
  'statusCode',
  'responseTimeMs',
  'header',
  'textBody',
  'jsonBody',
  'responseBodySize',
  'tlsDaysLeft',
  'tlsProtocol',
  'certificateFingerprint',
  'dnsRecord',
  'packetLossPercent',
  'jitterMs',
  'value',
  'domainDaysLeft',
  'runSeconds',
] as const;
export type AssertionSource = (typeof ASSERTION_SOURCES)[number];

export const ASSERTION_COMPARISONS = [
  'equals',
  'notEquals',
  'contains',
  'notContains',
  'matches',
  'notMatches',
  'greaterThan',
  'lessThan',
  'exists',
  'notExists',
  'isEmpty',
  'isNotEmpty',
  'matchesSchema',
] as const;
export type AssertionComparison = (typeof ASSERTION_COMPARISONS)[number];

const WITH_PROPERTY: ReadonlySet<string> = new Set<AssertionSource>(['header', 'jsonBody', 'dnsRecord']);
const WITHOUT_TARGET: ReadonlySet<string> = new Set<AssertionComparison>([
  'exists',
  'notExists',
  'isEmpty',
  'isNotEmpty',
]);

/** Returns whether assertions about a source may have a property. */
export function takesProperty(source: string): boolean {
  return WITH_PROPERTY.has(source);
}

/** Returns whether a comparison has a target. */
export function takesTarget(comparison: string): boolean {
  return !WITHOUT_TARGET.has(comparison);
}

export type AssertionTarget = string | number | boolean | null;

/**
 * An assertion about a check. `property` is the name of the header, the JSONPath (RFC 9535) into the body, or the DNS
 * record type. A source may have several values (a repeated header, several nodes): a comparison holds if it holds for
 * at least one of them, and its negation (`not…`) if the comparison holds for none. Only a schema must hold for all.
 */
export interface Assertion {
  source: AssertionSource;
  property?: string | null;
  comparison: AssertionComparison;
  target?: AssertionTarget;
}

/** Loads what these assertions need and others do not. Must be called before an evaluation that may be interrupted. */
export function prepare(assertions: readonly Assertion[]): void {
  if (hasSchema(assertions)) loadJsonSchema();
}

/** Forgets everything that was compiled. Must be called after an evaluation that was interrupted. */
export function forgetCompiled(): void {
  forgetPatterns();
  forgetPaths();
  forgetSchemas();
}

function hasSchema(assertions: readonly Assertion[]): boolean {
  return assertions.some(({ comparison }) => comparison === 'matchesSchema');
}

/** The values that a check observed. A probe omits the values that it cannot observe. */
export interface CheckFacts {
  statusCode?: number | null;
  responseTimeMs?: number | null;
  /** Keyed by lower-case name. */
  headers?: Readonly<Record<string, readonly string[] | undefined>>;
  body?: string | null;
  /** In bytes. */
  responseBodySize?: number | null;
  tlsDaysLeft?: number | null;
  /** Such as `TLSv1.3`. */
  tlsProtocol?: string | null;
  /** SHA-256 in lower-case hexadecimal digits. */
  certificateFingerprint?: string | null;
  packetLossPercent?: number | null;
  jitterMs?: number | null;
  /** The first value of a database's response. */
  value?: string | number | boolean | null;
  domainDaysLeft?: number | null;
  /** How long the run of a job took. */
  runSeconds?: number | null;
  dnsRecords?: readonly { type: string; value: string }[];
}

/**
 * Evaluates the assertions one after the other: yields the failure of one that does not hold, and `null` for one that
 * does. Never throws; if the body is not JSON, every `jsonBody` assertion fails. Can take seconds if `areCheap` returns
 * false.
 */
export function* judgements(assertions: readonly Assertion[], facts: CheckFacts): Generator<FailedAssertion | null> {
  const document = lazily(() => JSON.parse(facts.body ?? '') as unknown);
  for (const [index, assertion] of assertions.entries()) {
    const values = valuesOf(assertion, facts, document);
    if (values && holds(assertion, values)) yield null;
    else yield { index, actual: shownValue(assertion, values ?? []) };
  }
}

/** Returns the assertions that do not hold, in their order. */
export function failedAssertions(assertions: readonly Assertion[], facts: CheckFacts): FailedAssertion[] {
  return [...judgements(assertions, facts)].filter((failed) => failed !== null);
}

/** Number of characters that can be read and parsed within a few milliseconds. */
const CHEAP_CHARACTERS = 65_536;
/** Cost of searching one character for a pattern, relative to reading it. */
const COST_OF_PATTERN = 32;

/** Returns whether evaluating these takes a few milliseconds at most, even if the patterns or the body are hostile. */
export function areCheap(assertions: readonly Assertion[], facts: CheckFacts): boolean {
  const parsed = assertions.some(({ source }) => source === 'jsonBody') ? (facts.body?.length ?? 0) : 0;
  return !hasSchema(assertions) && assertions.every(isOneNode) && sum(assertions, costOf) + parsed <= CHEAP_CHARACTERS;

  function isOneNode({ source, property }: Assertion): boolean {
    return source !== 'jsonBody' || selectsOneNode(property ?? '');
  }

  function costOf(assertion: Assertion): number {
    const { source, comparison } = assertion;
    const isOfBody = source === 'textBody' || source === 'jsonBody';
    const texts = isOfBody ? [facts.body] : valuesOf(assertion, facts, () => null)!;
    const length = sum(texts, (text) => (typeof text === 'string' ? text.length : 0));
    return length * (comparison === 'matches' || comparison === 'notMatches' ? COST_OF_PATTERN : 1);
  }
}

function sum<T>(values: readonly T[], figure: (value: T) => number): number {
  return values.reduce((total, value) => total + figure(value), 0);
}

/** Returns the values of the assertion's source, none if they are absent; `null` if they cannot be determined. */
function valuesOf(assertion: Assertion, facts: CheckFacts, document: () => unknown): unknown[] | null {
  const property = assertion.property ?? '';
  switch (assertion.source) {
    case 'statusCode':
    case 'responseTimeMs':
    case 'responseBodySize':
    case 'tlsDaysLeft':
    case 'tlsProtocol':
    case 'certificateFingerprint':
    case 'packetLossPercent':
    case 'jitterMs':
    case 'domainDaysLeft':
    case 'runSeconds':
      return [facts[assertion.source]].filter((value) => value !== undefined && value !== null);
    case 'value':
      return facts.value === undefined ? [] : [facts.value];
    case 'header':
      return [...(facts.headers?.[property.toLowerCase()] ?? [])];
    case 'textBody':
      return [facts.body ?? ''];
    case 'jsonBody':
      try {
        return queryJson(property, document());
      } catch {
        return null;
      }
    case 'dnsRecord': {
      const records = facts.dnsRecords ?? [];
      const type = property.toUpperCase();
      return records.filter((record) => type === '' || record.type === type).map((record) => record.value);
    }
  }
}

function holds({ comparison, target = null }: Assertion, values: unknown[]): boolean {
  switch (comparison) {
    case 'equals':
      return values.some((value) => equals(value, target));
    case 'notEquals':
      return !values.some((value) => equals(value, target));
    case 'contains':
      return values.some((value) => contains(value, target));
    case 'notContains':
      return !values.some((value) => contains(value, target));
    case 'matches':
      return values.some((value) => matches(value, target));
    case 'notMatches':
      return !values.some((value) => matches(value, target));
    case 'greaterThan':
      return values.some((value) => numberOf(value) > numberOf(target));
    case 'lessThan':
      return values.some((value) => numberOf(value) < numberOf(target));
    case 'exists':
      return values.length > 0;
    case 'notExists':
      return values.length === 0;
    case 'isEmpty':
      return values.every(isEmpty);
    case 'isNotEmpty':
      return !values.every(isEmpty);
    case 'matchesSchema':
      return violationOf(target, values) === null;
  }
}

/**
 * Compares scalars by their text, so that `"200"` equals 200: header values and form fields are untyped. If one of them
 * is a number, "3.0" equals 3, but two texts are not compared as numbers: they may be versions or identifiers. `null`
 * equals only `null`.
 */
function equals(value: unknown, target: AssertionTarget): boolean {
  const text = textOf(value);
  if (text === null || target === null) return value === target;
  if (text === String(target)) return true;
  const isNumeric = typeof value === 'number' || typeof target === 'number';
  return isNumeric && numberOf(value) === numberOf(target);
}

function contains(value: unknown, target: AssertionTarget): boolean {
  if (Array.isArray(value)) return value.some((element) => equals(element, target));
  return textOf(value)?.includes(String(target)) ?? false;
}

function matches(value: unknown, target: AssertionTarget): boolean {
  const text = textOf(value);
  return text !== null && findsPattern(String(target), text);
}

/** Returns where the first of the values violates a schema; the whole schema if there is no value. */
function violationOf(schema: AssertionTarget, values: readonly unknown[]): string | null {
  if (values.length === 0) return '#';
  for (const value of values) {
    const place = schemaViolation(String(schema), value);
    if (place !== null) return place;
  }
  return null;
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Returns the text of a scalar; `null` for other values. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/** Returns the value as a number; NaN if it is not a decimal number, for which neither comparison of size holds. */
export function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\s*[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?\s*$/i.test(value)
    ? Number(value)
    : NaN;
}

/** The maximum length of an actual value. */
export const SHOWN_CHARACTERS = 200;

/** Returns what is shown of the values: nothing of a body, which may be confidential. Headers are shown unmasked. */
function shownValue({ source, comparison, target = null }: Assertion, values: unknown[]): FailedAssertion['actual'] {
  if (comparison === 'matchesSchema') {
    const place = violationOf(target, values);
    return place === null ? null : cut(place, SHOWN_CHARACTERS);
  }
  if (source === 'textBody' || source === 'jsonBody' || values.length === 0) return null;
  const [first] = values;
  if (typeof first === 'number') return first;
  if (first === null) return 'null';
  return cut(values.join(', '), SHOWN_CHARACTERS);
}

function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
