import { Client } from 'pg';

/** The server cancels a statement first, so that its transaction can be rolled back. */
const STATEMENT_TIMEOUT_MS = 15_000;
/** Without an answer for this long, as from a half-open connection, a query is given up. */
const QUERY_TIMEOUT_MS = 18_000;
/** What a given up query leaves open, the server ends. */
const IDLE_IN_TRANSACTION_MS = 20_000;

interface Connected {
  connection: { stream: { destroy(): void } };
}

/**
 * A client whose connection ends with the first query that it gives up: the driver would hand it back to the pool while
 * the server still works on that query, inside a transaction that nobody ends and that holds its locks.
 */
class ImpatientClient extends Client {
  constructor(config?: ConstructorParameters<typeof Client>[0]) {
    super(config);
    const query = this.query.bind(this) as (...parameters: unknown[]) => unknown;
    const watched = (...parameters: unknown[]): unknown => {
      const callback = parameters.at(-1);
      if (typeof callback === 'function') {
        return query(...parameters.slice(0, -1), (error: unknown, result: unknown) => {
          this.endAfter(error);
          (callback as (error: unknown, result: unknown) => void)(error, result);
        });
      }
      const result = query(...parameters);
      if (result instanceof Promise) result.catch((error: unknown) => this.endAfter(error));
      return result;
    };
    this.query = watched as typeof this.query;
  }

  private endAfter(error: unknown): void {
    if (error instanceof Error && error.message === 'Query read timeout') {
      (this as unknown as Connected).connection.stream.destroy();
    }
  }
}

/** For a process that serves: no query holds a caller, and none that was given up holds a lock. */
export const SERVING_LIMITS = {
  Client: ImpatientClient,
  query_timeout: QUERY_TIMEOUT_MS,
  statement_timeout: STATEMENT_TIMEOUT_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
};
