import { Client } from 'pg';

/** The server cancels a statement first, so that its transaction can be rolled back. */
const STATEMENT_TIMEOUT_MS = 15_000;
/** Without an answer for this long, as from a half-open connection, a query is given up. */
const QUERY_TIMEOUT_MS = 18_000;
/** What a given up query leaves open, the server ends: its locks would hold up who comes after it. */
const IDLE_IN_TRANSACTION_MS = 8_000;

interface Connected {
  connection: { stream: { destroy(): void } };
}

/** Through it all connections of a pool go: it can be shut, for a database that answers nothing. */
export class ConnectionGate {
  private readonly open = new Set<Client>();
  private shut = false;

  /** From now on no connection is made, and those that are there end: whoever waits for an answer learns it at once. */
  close(): void {
    this.shut = true;
    for (const client of this.open) endConnection(client);
  }

  reopen(): void {
    this.shut = false;
  }

  /** Whether one may be made. It counts until it has ended. */
  admit(client: Client): boolean {
    if (this.shut) return false;
    this.open.add(client);
    client.once('end', () => this.open.delete(client));
    return true;
  }
}

/**
 * A client whose connection ends with the first query that it gives up: the driver would hand it back to the pool while
 * the server still works on that query, inside a transaction that nobody ends and that holds its locks.
 */
class ImpatientClient extends Client {
  constructor(gate: ConnectionGate, config?: ConstructorParameters<typeof Client>[0]) {
    super(config);
    const connect = this.connect.bind(this) as (...parameters: unknown[]) => unknown;
    const gated = (callback?: (error: Error) => void): unknown => {
      if (gate.admit(this)) return connect(...(callback ? [callback] : []));
      const error = new Error('Connection terminated: the database does not answer');
      if (!callback) return Promise.reject(error);
      process.nextTick(callback, error);
      return undefined;
    };
    this.connect = gated as typeof this.connect;
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
    if (error instanceof Error && error.message === 'Query read timeout') endConnection(this);
  }
}

/** Ends a connection at once, without the farewell that nobody may be there to hear. */
export function endConnection(client: Client): void {
  (client as unknown as Connected).connection.stream.destroy();
}

/** For a process that serves: no query holds a caller, and none that was given up holds a lock. */
export function servingLimits(gate: ConnectionGate) {
  return {
    Client: class extends ImpatientClient {
      constructor(config?: ConstructorParameters<typeof Client>[0]) {
        super(gate, config);
      }
    },
    query_timeout: QUERY_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  };
}
