import {
  ASSERTION_SOURCES,
  type Assertion,
  type AssertionComparison,
  type AssertionSource,
  type AssertionTarget,
} from '../domain/assertions.js';
import { validateAssertion, type AssertionProblem } from '../domain/assertion-validation.js';
import { Rule } from './rule.decorator.js';

const CODES = ['required', 'invalid_type', 'invalid_value', 'too_long', 'not_applicable'] as const;

/** Applies `validateAssertion` to one member, each problem under its own code. */
function AssertionMember(field: AssertionProblem['field']): PropertyDecorator {
  return (target, property) => {
    for (const code of CODES) Rule(code, (_, assertion) => problemOf(assertion, field, code))(target, property);
  };
}

function problemOf(assertion: object, field: AssertionProblem['field'], code: AssertionProblem['code']): string | null {
  const offered = (assertion.constructor as typeof AssertionDto).sources;
  const found = validateAssertion(assertion, offered).find(
    (problem) => problem.field === field && problem.code === code,
  );
  return found?.message ?? null;
}

/** One expectation of a check. A monitor type that offers fewer sources extends this with its own `sources`. */
export class AssertionDto implements Assertion {
  static readonly sources: readonly AssertionSource[] = ASSERTION_SOURCES;

  /** For the documentation: what the types of the members do not say. */
  static get schemas(): Record<string, object> {
    return {
      source: { type: 'string', enum: this.sources },
      target: { type: ['string', 'number', 'boolean', 'null'] },
    };
  }

  /**
   * What is looked at.
   * @example "jsonBody"
   */
  @AssertionMember('source')
  source: AssertionSource;

  /**
   * The name of the header, the JSONPath (RFC 9535) into the body, or the DNS record type; null for other sources.
   * @example "$.status"
   */
  @AssertionMember('property')
  property?: string | null;

  /**
   * How it is compared. Of several values one must hold; of a negation (`not…`), none. `matches` takes a regular
   * expression (RE2 syntax) and finds it anywhere.
   * @example "equals"
   */
  @AssertionMember('comparison')
  comparison: AssertionComparison;

  /**
   * What it is compared with; null for `exists`, `notExists`, `isEmpty` and `isNotEmpty`.
   * @example "ok"
   */
  @AssertionMember('target')
  target?: AssertionTarget;
}
