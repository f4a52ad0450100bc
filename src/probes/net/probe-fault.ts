import { type ErrorCode } from '../../domain/error-codes.js';

/** A reason why a check fails. The message is published: it has at most 300 characters and contains no secrets. */
export class ProbeFault extends Error {
  override readonly name = 'ProbeFault';

  constructor(
    readonly code: ErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/** Codes of system errors that mean that this machine, not the target, has exhausted a resource. */
const OWN_EXHAUSTION = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS', 'EADDRNOTAVAIL', 'EAGAIN']);

/** Returns whether the error is a fault of the service itself, which must be rethrown and becomes `checker_error`. */
export function isOwnFault(error: unknown): boolean {
  return OWN_EXHAUSTION.has(errorCode(error));
}

/** Returns the `code` of a Node error, or an empty string. */
export function errorCode(error: unknown): string {
  const code: unknown = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}
