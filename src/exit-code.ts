import { ConfigError } from './config/app-config.js';
import { isDatabaseAway } from './database/database-fault.js';
import { EmbeddedPostgresError } from './database/embedded/embedded-postgres.error.js';

/** Exit codes of sysexits(3): try again, and wrong settings. */
export const TRY_AGAIN = 75;
export const WRONG_SETTINGS = 78;

/** PostgreSQL's answer to a wrong user, password or database name. */
const REFUSED = /^(28...|3D000)$/;

/** The exit code of a process that this error ends: 75 where a later try may pass, 78 for wrong settings, else 1. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof ConfigError) return WRONG_SETTINGS;
  if (error instanceof EmbeddedPostgresError) return error.fault === 'in_use' ? TRY_AGAIN : WRONG_SETTINGS;
  const { code } = (error ?? {}) as NodeJS.ErrnoException;
  if (REFUSED.test(String(code ?? ''))) return WRONG_SETTINGS;
  if (isDatabaseAway(error) || code === 'EADDRINUSE') return TRY_AGAIN;
  return code === 'EACCES' || code === 'EADDRNOTAVAIL' ? WRONG_SETTINGS : 1;
}

/** What to tell the operator. A failed connection to a name with several addresses has no message of its own. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join('\n');
  const { code, port } = (error ?? {}) as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE') return `port ${port} is in use (${code}): stop what listens there, or set PORT`;
  return error instanceof Error ? error.message : String(error);
}
