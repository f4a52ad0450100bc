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
import { onceFor } from '../domain/memo.js';
import { type Limiter } from '../domain/text-pattern.js';
import { compileBudget } from './compile-budget.js';
import { MayBeLeftOut, Rule } from './rule.decorator.js';

/** The sources of assertions about a connection that may use TLS. */
export const CONNECTION_SOURCES: readonly AssertionSource[] = [
  'responseTimeMs',
  'tlsDaysLeft',
  'tlsProtocol',
  'certificateFingerprint',
];

const CODES = ['required', 'invalid_type', 'invalid_value', 'too_long', 'not_applicable'] as const;

/** Validates one member with `validateAssertion`, and reports each problem with its own code. */
function AssertionMember(field: AssertionProblem['field']): PropertyDecorator {
  return (target, property) => {
    for (const code of CODES) Rule(code, (_, assertion) => problemOf(assertion, field, code))(target, property);
  };
}

function problemOf(assertion: object, field: AssertionProblem['field'], code: AssertionProblem['code']): string | null {
  return problemsOf(assertion).find((problem) => problem.field === field && problem.code === code)?.message ?? null;
}

/** Each code of each member asks for the problems, and some take long to find. */
const problemsOf = onceFor((assertion: object) => {
  const { sources } = assertion.constructor as typeof AssertionDto;
  return validateAssertion(assertion, sources, budgets.get(assertion) ?? compileBudget());
});

const budgets = new WeakMap<object, Limiter>();

/** Gives the elements of a list one budget. Runs before they are validated, as class-validator validates them last. */
function shareBudget(list: unknown): null {
  if (!Array.isArray(list)) return null;
  const budget = compileBudget();
  for (const element of list as unknown[]) if (element instanceof AssertionDto) budgets.set(element, budget);
  return null;
}

/**
 * Decorates the member `assertions` of a monitor type's fields, which has its own class of assertions. The member also
 * needs `@ArrayMaxSize`, because the documentation is generated from the source code, which must contain that
 * decorator.
 */
export function AssertionList(cls: () => new () => AssertionDto): PropertyDecorator {
  const problem = (element: unknown) => (Array.isArray(element) ? 'must be an array of objects' : null);
  // Nested validation would treat the elements of an array in the list as elements of the list.
  const noArrays = Rule('invalid_type', problem, 'noArrays', { each: true });
  const shared = Rule('invalid_value', shareBudget, 'sharedBudget');
  const parts = [MayBeLeftOut(), IsArray(), noArrays, shared, ValidateNested({ each: true }), Type(cls)];
  return (target, property) => parts.forEach((decorate) => decorate(target, property));
}

/** An assertion about a check. A monitor type that offers fewer sources extends this class. */
export class AssertionDto implements Assertion {
  static readonly sources: readonly AssertionSource[] = ASSERTION_SOURCES;

  static readonly example: Assertion = {
    source: 'jsonBody',
    property: '$.status',
    comparison: 'equals',
    target: 'ok',
  };

  /** Schemas for the documentation that the types of the members do not express. */
  static get schemas(): Record<string, object> {
    const { source, property, comparison, target } = this.example;
    return {
      source: { type: 'string', enum: this.sources, example: source },
      property: { type: ['string', 'null'], example: property ?? null },
      comparison: { type: 'string', enum: ASSERTION_COMPARISONS, example: comparison },
      target: { type: ['string', 'number', 'boolean', 'null'], example: target ?? null },
    };
  }

  /** The observed value that is compared. */
  @AssertionMember('source')
  source: AssertionSource;

  /** The name of the header, the JSONPath (RFC 9535) into the body, or the DNS record type; null for other sources. */
  @AssertionMember('property')
  property?: string | null;

  /**
   * How the value is compared. If there are several values, the comparison must hold for at least one of them; a
   * negation (`not…`) holds if the comparison holds for none. `equals` compares a number with a text by value (3 equals
   * "3.0"), and two texts exactly ("1.1" does not equal "1.10"). `matches` searches for a regular expression (RE2 syntax)
   * anywhere in the value. `matchesSchema`, only for `jsonBody`, must hold for all values.
   */
  @AssertionMember('comparison')
  comparison: AssertionComparison;

  /**
   * The value to compare with, for `matchesSchema` the text of a JSON Schema (2020-12) of at most 10,000 characters; null
   * for `exists`, `notExists`, `isEmpty` and `isNotEmpty`.
   */
  @AssertionMember('target')
  target?: AssertionTarget;
}
