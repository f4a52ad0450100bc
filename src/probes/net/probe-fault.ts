import { type ErrorCode } from '../../domain/error-codes.js';

/** What keeps a check from passing, found below the probe. The message is published: at most 300 characters, no secrets. */
export class ProbeFault extends Error {
  override readonly name = 'ProbeFault';

  constructor(
    readonly code: ErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/** Codes of system errors that say that this machine, not the target, ran out of something. */
const OWN_EXHAUSTION = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS', 'EADDRNOTAVAIL', 'EAGAIN']);

/** Whether the error is a fault of ours, to be thrown on and to end as `checker_error`. */
export function isOwnFault(error: unknown): boolean {
  return OWN_EXHAUSTION.has(errorCode(error));
}

/** The `code` of a Node error, or an empty string. */
export function errorCode(error: unknown): string {
  const code: unknown = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}
