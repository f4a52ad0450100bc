import {
  ASSERTION_COMPARISONS,
  numberOf,
  takesProperty,
  takesTarget,
  textOf,
  type AssertionComparison,
  type AssertionSource,
} from './assertions.js';
import { type FieldErrorCode } from './field-error-codes.js';
import { isHeaderName } from './header-name.js';
import { jsonPathProblem } from './json-query.js';
import { schemaProblem } from './json-schema.js';
import { type Limiter, patternProblem } from './text-pattern.js';

export interface AssertionProblem {
  field: 'source' | 'property' | 'comparison' | 'target';
  code: Extract<FieldErrorCode, 'required' | 'invalid_type' | 'invalid_value' | 'too_long' | 'not_applicable'>;
  message: string;
}

const MAX_TARGET_LENGTH = 1_000;
const NUMERIC: ReadonlySet<AssertionSource> = new Set([
  'statusCode',
  'responseTimeMs',
  'responseBodySize',
  'tlsDaysLeft',
  'packetLossPercent',
  'jitterMs',
  'domainDaysLeft',
  'runSeconds',
]);

/**
 * Returns the problems of a caller's assertion for a monitor type that offers these sources: at most one per field.
 * Patterns and JSONPaths are compiled by `limited`.
 */
export function validateAssertion(
  given: unknown,
  offered: readonly AssertionSource[],
  limited?: Limiter,
): AssertionProblem[] {
  const { source, property, comparison, target } = (given ?? {}) as Record<string, unknown>;
  const problems = [
    choiceProblem('source', source, offered),
    choiceProblem('comparison', comparison, ASSERTION_COMPARISONS),
  ];
  // Valid values of property and target depend on source and comparison, so both must be valid first.
  if (!problems.some((problem) => problem)) {
    if (comparison === 'matchesSchema' && source !== 'jsonBody') {
      return [{ field: 'comparison', code: 'invalid_value', message: 'matchesSchema is only for jsonBody' }];
    }
    problems.push(propertyProblem(source as AssertionSource, property ?? null, limited));
    problems.push(targetProblem(source as AssertionSource, comparison as AssertionComparison, target ?? null, limited));
  }
  return problems.filter((problem) => problem !== null);
}

function choiceProblem(
  field: 'source' | 'comparison',
  value: unknown,
  choices: readonly string[],
): AssertionProblem | null {
  if (value === undefined || value === null) return { field, code: 'required', message: 'is required' };
  if (typeof value === 'string' && choices.includes(value)) return null;
  return { field, code: 'invalid_value', message: `must be one of ${choices.join(', ')}` };
}

function propertyProblem(source: AssertionSource, property: unknown, limited?: Limiter): AssertionProblem | null {
  const problem = (code: AssertionProblem['code'], message: string) => ({ field: 'property' as const, code, message });
  const takesOne = source === 'header' || source === 'jsonBody';
  if (property === null || property === '') {
    return takesOne
      ? problem('required', source === 'header' ? 'must be the name of a header' : 'must be a JSONPath')
      : null;
  }
  if (typeof property !== 'string') return problem('invalid_type', 'must be a string');
  if (!takesProperty(source)) return problem('not_applicable', `must be null: ${source} has no property`);
  if (source === 'header') {
    return isHeaderName(property) ? null : problem('invalid_value', 'must be the name of a header');
  }
  if (source === 'dnsRecord') {
    return /^[a-z]{1,10}$/i.test(property) ? null : problem('invalid_value', 'must be a record type such as MX');
  }
  const fault = jsonPathProblem(property, limited);
  return fault === null ? null : problem('invalid_value', `must be a JSONPath (RFC 9535): ${fault}`);
}

function targetProblem(
  source: AssertionSource,
  comparison: AssertionComparison,
  target: unknown,
  limited?: Limiter,
): AssertionProblem | null {
  const problem = (code: AssertionProblem['code'], message: string) => ({ field: 'target' as const, code, message });
  if (!takesTarget(comparison)) {
    return target === null ? null : problem('not_applicable', `must be null: ${comparison} has no target`);
  }
  const equality = comparison === 'equals' || comparison === 'notEquals';
  if (target === null)
    return equality && (source === 'jsonBody' || source === 'value') ? null : problem('required', 'is required');
  if (comparison === 'matchesSchema') {
    const fault = typeof target === 'string' ? schemaProblem(target, limited) : 'must be a string';
    return fault === null ? null : problem('invalid_value', `must be a JSON Schema (2020-12) as text: ${fault}`);
  }
  if (textOf(target) === null) return problem('invalid_type', 'must be a string, a number or a boolean');
  if (typeof target === 'string' && target.length > MAX_TARGET_LENGTH) {
    return problem('too_long', `must have at most ${MAX_TARGET_LENGTH} characters`);
  }
  if (comparison === 'matches' || comparison === 'notMatches') {
    const fault = typeof target === 'string' ? patternProblem(target, limited) : 'must be a string';
    return fault === null ? null : problem('invalid_value', `must be a regular expression (RE2 syntax): ${fault}`);
  }
  const sized = comparison === 'greaterThan' || comparison === 'lessThan';
  if ((sized || (equality && NUMERIC.has(source))) && !Number.isFinite(numberOf(target))) {
    return problem('invalid_type', 'must be a number');
  }
  if (target === '' && !equality) return problem('invalid_value', 'must not be empty');
  return null;
}
