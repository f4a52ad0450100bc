/**
 * `unsupported`: no binaries that run here. `unreachable`: files that the server's user, or we, may not enter.
 * `in_use`: another process owns the cluster. `failed`: a command of PostgreSQL ended with an error or in no time.
 */
export type EmbeddedPostgresFault = 'unsupported' | 'unreachable' | 'in_use' | 'failed';

/** What keeps the embedded PostgreSQL from serving. The message is for the operator and says what to do. */
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
