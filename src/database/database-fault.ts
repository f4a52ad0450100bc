import {
  CannotExecuteNotConnectedError,
  ConnectionIsNotSetError,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
} from 'typeorm';
import { types } from 'node:util';

const SQLSTATES = /^(08...|28...|3D000|53...|57P0.|57014|58...|25006|25P0[23]|40001|40P01|55P03)$/;
/** The server is there, and takes no writes: a full disk, a fault of the disk, a standby. */
const NO_WRITES = /^(53100|58...|25006)$/;
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
/** Errors of TypeORM about a connection that has gone, such as in the middle of a transaction. */
const CLASSES = [
  CannotExecuteNotConnectedError,
  ConnectionIsNotSetError,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
];
/** Errors of pg, its pool and TypeORM that carry no code, and have no class of their own. */
const MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|connection error and is not queryable|Client was closed and is not queryable|Cannot use a pool after calling end|Driver not Connected|connection is not yet established/;
const MAX_DEPTH = 8;

/**
 * Whether an error says that the database cannot serve us now and the same request may pass later: no connection, a
 * server that starts or stops, a statement timeout, a deadlock, a failed serialization. Looks through wrapped errors
 * (`driverError`, `cause`, `errors`). In the API process only the database's connections raise such errors: what a
 * probe meets is an outcome, not an error.
 */
export function isDatabaseAway(error: unknown, depth = 0): boolean {
  if (!types.isNativeError(error) || depth > MAX_DEPTH) return false;
  const { code, syscall, driverError, errors } = error as Error & Record<string, unknown>;
  if (typeof code === 'string') {
    if (SQLSTATES.test(code) || SYSTEM_CODES.has(code)) return true;
    // The socket's file is absent until PostgreSQL listens.
    if (code === 'ENOENT' && syscall === 'connect') return true;
  }
  if (MESSAGES.test(error.message) || CLASSES.some((known) => error instanceof known)) return true;
  const inner = [driverError, error.cause, ...(Array.isArray(errors) ? (errors as unknown[]) : [])];
  return inner.some((one) => isDatabaseAway(one, depth + 1));
}

/** Whether an error says that the database answers but takes no writes. */
export function refusesWrites(error: unknown, depth = 0): boolean {
  if (!types.isNativeError(error) || depth > MAX_DEPTH) return false;
  const { code, driverError } = error as Error & Record<string, unknown>;
  if (typeof code === 'string' && NO_WRITES.test(code)) return true;
  return [driverError, error.cause].some((one) => refusesWrites(one, depth + 1));
}
