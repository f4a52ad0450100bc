import {
  CannotExecuteNotConnectedError,
  ConnectionIsNotSetError,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
} from 'typeorm';
import { types } from 'node:util';

const SQLSTATES = /^(08...|28...|3D000|53...|57P0.|57014|58...|25006|25P0[23]|40001|40P01|55P03)$/;
/** The server is reachable but rejects writes: a full disk, a disk error, a standby. */
const NO_WRITES = /^(53100|58...|25006)$/;
const STATEMENT_TIMEOUT = /^57014$/;
const SYSTEM_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** TypeORM errors about a lost connection, for example in the middle of a transaction. */
const CLASSES = [
  CannotExecuteNotConnectedError,
  ConnectionIsNotSetError,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
];
/** Errors of pg, its pool and TypeORM that have neither a code nor a class of their own. */
const MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|connection error and is not queryable|Client was closed and is not queryable|Cannot use a pool after calling end|Driver not Connected|connection is not yet established/;
const MAX_DEPTH = 8;

/**
 * Returns whether an error means that the database cannot serve the request now but may serve the same request later:
 * no connection, a server that is starting or stopping, a statement timeout, a deadlock, a failed serialization. Looks
 * through wrapped errors (`driverError`, `cause`, `errors`). In the API process only database connections raise such
 * errors, because probes report failures as outcomes, not as errors.
 */
export function isDatabaseAway(error: unknown, depth = 0): boolean {
  if (!types.isNativeError(error) || depth > MAX_DEPTH) return false;
  const { code, syscall, driverError, errors } = error as Error & Record<string, unknown>;
  if (typeof code === 'string') {
    if (SQLSTATES.test(code) || SYSTEM_CODES.has(code)) return true;
    // The socket file is absent until PostgreSQL listens.
    if (code === 'ENOENT' && syscall === 'connect') return true;
  }
  if (MESSAGES.test(error.message) || CLASSES.some((known) => error instanceof known)) return true;
  const inner = [driverError, error.cause, ...(Array.isArray(errors) ? (errors as unknown[]) : [])];
  return inner.some((one) => isDatabaseAway(one, depth + 1));
}

/** Returns whether an error means that the database is reachable but rejects writes. */
export function refusesWrites(error: unknown): boolean {
  return hasCode(error, NO_WRITES);
}

/** Returns whether an error means that a statement took too long, which other statements need not do. */
export function isStatementTimeout(error: unknown): boolean {
  return hasCode(error, STATEMENT_TIMEOUT);
}

function hasCode(error: unknown, codes: RegExp, depth = 0): boolean {
  if (!types.isNativeError(error) || depth > MAX_DEPTH) return false;
  const { code, driverError } = error as Error & Record<string, unknown>;
  if (typeof code === 'string' && codes.test(code)) return true;
  return [driverError, error.cause].some((one) => hasCode(one, codes, depth + 1));
}
