/**
 * `unsupported`: no binaries that run on this system. `unreachable`: files that the server's user or this process
 * cannot access. `in_use`: another process owns the cluster. `failed`: a PostgreSQL command failed or timed out.
 */
export type EmbeddedPostgresFault = 'unsupported' | 'unreachable' | 'in_use' | 'failed';

/** Why the embedded PostgreSQL cannot run. The message is for the operator and explains what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';

  constructor(
    readonly fault: EmbeddedPostgresFault,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
