import {
  areCheap,
  type Assertion,
  type CheckFacts,
  judgements,
  prepare,
  SHOWN_CHARACTERS,
} from '../domain/assertions.js';
import { type CheckError, type FailedAssertion } from '../domain/check-result.js';
import { cut } from '../domain/cut.js';
import { MASK } from '../domain/mask.js';
import { type Evaluate } from './evaluation.js';
import { isSecretHeader } from './http/credentials.js';

const MAX_MESSAGE_LENGTH = 300;
/** Begins the names of response headers that "access" makes look like secrets, but that every site may read. */
const CORS_PREFIX = 'access-control-';

/** The result of evaluating the assertions of a check. */
export interface Judgement {
  failed: FailedAssertion[];
  error: CheckError | null;
}

/**
 * Evaluates all assertions with one time limit. When the time is used up, the current assertion fails and the following
 * ones are not evaluated. Masks the values of headers whose name suggests a secret or is in `secretHeaders`.
 * @throws CheckerFault
 */
export function judgeAssertions(
  assertions: readonly Assertion[],
  facts: CheckFacts,
  evaluate: Evaluate,
  secretHeaders: readonly string[] = [],
): Judgement {
  const failed: FailedAssertion[] = [];
  let judged = 0;
  const judge = (): void => {
    for (const one of judgements(assertions, facts)) {
      judged += 1;
      if (one !== null) failed.push(withoutSecretHeader(one, assertions[one.index]!, facts, secretHeaders));
    }
  };
  prepare(assertions);
  if (areCheap(assertions, facts)) judge();
  else if (!evaluate(judge)) {
    failed.push({ index: judged, actual: null });
    return {
      failed,
      error: checkError('assertion_failed', `Assertion ${judged + 1} failed: evaluation took too long.`),
    };
  }
  return { failed, error: assertionError(assertions, failed) };
}

/** Masks the value of a secret header, but not the names and attributes of cookies. Absent and empty values stay. */
function withoutSecretHeader(
  failed: FailedAssertion,
  { source, property, comparison }: Assertion,
  { headers }: CheckFacts,
  secretHeaders: readonly string[],
): FailedAssertion {
  const name = (property ?? '').toLowerCase();
  // A failed schema shows which of its parts is violated, and no value.
  if (source !== 'header' || comparison === 'matchesSchema' || !failed.actual) return failed;
  const isPublic = name.startsWith(CORS_PREFIX) && !secretHeaders.some((one) => one.toLowerCase() === name);
  if (isPublic || !isSecretHeader(name, secretHeaders)) return failed;
  if (name !== 'set-cookie') return { ...failed, actual: MASK };
  const cookies = (headers?.[name] ?? []).map((cookie) => cookie.replace(/^([^=;]*=)?[^;]*/, `$1${MASK}`));
  return { ...failed, actual: cut(cookies.join(', '), SHOWN_CHARACTERS) };
}

/** Returns the error of a check, which describes the first failed assertion; `null` if none failed. */
function assertionError(assertions: readonly Assertion[], failed: readonly FailedAssertion[]): CheckError | null {
  const [first] = failed;
  const assertion = first && assertions[first.index];
  if (!assertion) return null;
  const { source, property, comparison, target } = assertion;
  const isSchema = comparison === 'matchesSchema';
  const expectation = [source, property, comparison, isSchema ? null : target]
    .filter((part) => part !== undefined && part !== null)
    .join(' ');
  const observed = first.actual === null ? '' : `; ${isSchema ? 'violates' : 'was'} ${first.actual}`;
  const count = failed.length > 1 ? ` (first of ${failed.length})` : '';
  return checkError('assertion_failed', `Assertion ${first.index + 1} failed${count}: ${expectation}${observed}`);
}

/** Returns an error with its message truncated to the maximum length. */
export function checkError(code: CheckError['code'], message: string): CheckError {
  const text = message.replace(/\p{Cc}+/gu, ' ');
  if (text.length <= MAX_MESSAGE_LENGTH) return { code, message: text };
  return { code, message: `${cut(text, MAX_MESSAGE_LENGTH - 1)}…` };
}
