import { ConfigError } from './config/app-config.js';
import { isDatabaseAway } from './database/database-fault.js';
import { EmbeddedPostgresError } from './database/embedded/embedded-postgres.error.js';

/** Exit codes from sysexits(3): a temporary failure, and a configuration error. */
export const TRY_AGAIN = 75;
export const WRONG_SETTINGS = 78;

/** PostgreSQL error codes for a wrong user, password or database name. */
const REFUSED = /^(28...|3D000)$/;

/** Returns the exit code for this error: 75 if a later start may succeed, 78 for wrong settings, otherwise 1. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof ConfigError) return WRONG_SETTINGS;
  if (error instanceof EmbeddedPostgresError) return error.fault === 'in_use' ? TRY_AGAIN : WRONG_SETTINGS;
  const { code } = (error ?? {}) as NodeJS.ErrnoException;
  if (REFUSED.test(String(code ?? ''))) return WRONG_SETTINGS;
  if (isDatabaseAway(error) || code === 'EADDRINUSE') return TRY_AGAIN;
  return code === 'EACCES' || code === 'EADDRNOTAVAIL' ? WRONG_SETTINGS : 1;
}

/**
 * Returns the message for the operator. If a name has several addresses and none accepts a connection, the error itself
 * has no message.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join('\n');
  const { code, port, setting = 'PORT' } = (error ?? {}) as NodeJS.ErrnoException & { port?: number; setting?: string };
  if (code === 'EADDRINUSE')
    return `port ${port} is already in use (${code}): stop the process that uses it, or set ${setting}`;
  return error instanceof Error ? error.message : String(error);
}
