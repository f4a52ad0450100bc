import { Type } from 'class-transformer';
import { IsArray, ValidateNested } from 'class-validator';
import {
  ASSERTION_COMPARISONS,
  ASSERTION_SOURCES,
  type Assertion,
  type AssertionComparison,
  type AssertionSource,
  type AssertionTarget,
} from '../domain/assertions.js';
import { validateAssertion, type AssertionProblem } from '../domain/assertion-validation.js';
import { MayBeLeftOut, Rule } from './rule.decorator.js';

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

/**
 * The member `assertions` of a monitor type's fields, with its own class of expectations. How many there may be is said
 * beside it, by `@ArrayMaxSize`: what reads the sources for the documentation sees that one alone.
 */
export function AssertionList(cls: () => new () => AssertionDto): PropertyDecorator {
  const problem = (element: unknown) => (Array.isArray(element) ? 'must have objects as elements' : null);
  // Nested validation would walk into an array among the elements as if its elements were theirs.
  const noArrays = Rule('invalid_type', problem, 'noArrays', { each: true });
  const parts = [MayBeLeftOut(), IsArray(), noArrays, ValidateNested({ each: true }), Type(cls)];
  return (target, property) => parts.forEach((decorate) => decorate(target, property));
}

/** One expectation of a check. A monitor type that offers fewer sources extends this with its own. */
export class AssertionDto implements Assertion {
  static readonly sources: readonly AssertionSource[] = ASSERTION_SOURCES;

  static readonly example: Assertion = {
    source: 'jsonBody',
    property: '$.status',
    comparison: 'equals',
    target: 'ok',
  };

  /** For the documentation: what the types of the members do not say. */
  static get schemas(): Record<string, object> {
    const { source, property, comparison, target } = this.example;
    return {
      source: { type: 'string', enum: this.sources, example: source },
      property: { type: ['string', 'null'], example: property ?? null },
      comparison: { type: 'string', enum: ASSERTION_COMPARISONS, example: comparison },
      target: { type: ['string', 'number', 'boolean', 'null'], example: target ?? null },
    };
  }

  /** What is looked at. */
  @AssertionMember('source')
  source: AssertionSource;

  /** The name of the header, the JSONPath (RFC 9535) into the body, or the DNS record type; null for other sources. */
  @AssertionMember('property')
  property?: string | null;

  /**
   * How it is compared. Of several values one must hold; of a negation (`not…`), none. `matches` takes a regular
   * expression (RE2 syntax) and finds it anywhere.
   */
  @AssertionMember('comparison')
  comparison: AssertionComparison;

  /** What it is compared with; null for `exists`, `notExists`, `isEmpty` and `isNotEmpty`. */
  @AssertionMember('target')
  target?: AssertionTarget;
}
