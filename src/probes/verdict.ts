import { type Assertion } from '../domain/assertions.js';
import { type CheckError, type FailedAssertion } from '../domain/check-result.js';

const MAX_MESSAGE_LENGTH = 300;

/** The error of a check whose assertions failed, or `null` where none did. Names the first one. */
export function assertionError(
  assertions: readonly Assertion[],
  failed: readonly FailedAssertion[],
): CheckError | null {
  const [first] = failed;
  const assertion = first && assertions[first.index];
  if (!assertion) return null;
  const { source, property, comparison, target } = assertion;
  const expectation = [source, property, comparison, target]
    .filter((part) => part !== undefined && part !== null)
    .join(' ');
  const observed = first.actual === null ? '' : `; was ${first.actual}`;
  const count = failed.length > 1 ? ` (first of ${failed.length})` : '';
  return checkError('assertion_failed', `Assertion ${first.index + 1} failed${count}: ${expectation}${observed}`);
}

/** An error with its message cut to the length that may be published. */
export function checkError(code: CheckError['code'], message: string): CheckError {
  const text = message.replace(/\p{Cc}+/gu, ' ');
  if (text.length <= MAX_MESSAGE_LENGTH) return { code, message: text };
  return { code, message: `${text.slice(0, MAX_MESSAGE_LENGTH - 1).replace(/[\ud800-\udbff]$/, '')}…` };
}
