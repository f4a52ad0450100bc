import { Client } from 'pg';
import { PreparedStatements } from './prepared-statements.js';

/** The server cancels the statement first, so that its transaction can be rolled back. */
const STATEMENT_TIMEOUT_MS = 15_000;
/** A query without a response for this long, as on a half-open connection, is abandoned. */
const QUERY_TIMEOUT_MS = 18_000;
/** The server ends a transaction that an abandoned query leaves open, because its locks would block others. */
const IDLE_IN_TRANSACTION_MS = 8_000;

interface Connected {
  connection: { stream: { destroy(): void } };
}

/** Controls all connections of a pool. It can be closed while the database does not respond. */
export class ConnectionGate {
  private readonly open = new Set<Client>();
  private shut = false;

  /** Stops new connections and ends the existing ones, so that pending queries fail at once. */
  close(): void {
    this.shut = true;
    for (const client of this.open) endConnection(client);
  }

  reopen(): void {
    this.shut = false;
  }

  /** Returns whether the client may connect. An admitted client is tracked until its connection ends. */
  admit(client: Client): boolean {
    if (this.shut) return false;
    this.open.add(client);
    client.once('end', () => this.open.delete(client));
    return true;
  }
}

/**
 * A client that prepares frequent statements, and whose connection ends with the first query that it abandons.
 * Otherwise the driver would return the connection to the pool while the server still runs that query, within a
 * transaction that nobody ends and that holds its locks.
 */
class ImpatientClient extends Client {
  constructor(gate: ConnectionGate, statements: PreparedStatements, config?: ConstructorParameters<typeof Client>[0]) {
    super(config);
    // The pool and the query runner listen in turns. A connection that ends between the two, such as one that the server
    // terminates as soon as it is open, would otherwise end the process. The next query on it fails.
    this.on('error', () => undefined);
    const connect = this.connect.bind(this) as (...parameters: unknown[]) => unknown;
    const gated = (callback?: (error: Error) => void): unknown => {
      if (gate.admit(this)) return connect(...(callback ? [callback] : []));
      const error = new Error('Connection terminated: the database does not respond');
      if (!callback) return Promise.reject(error);
      process.nextTick(callback, error);
      return undefined;
    };
    this.connect = gated as typeof this.connect;
    const send = this.query.bind(this) as (...parameters: unknown[]) => unknown;
    const query = ([text, values, ...rest]: readonly unknown[]): unknown => {
      const name = typeof text === 'string' && Array.isArray(values) ? statements.nameOf(text) : undefined;
      return name === undefined ? send(text, values, ...rest) : send({ name, text, values }, ...rest);
    };
    const watched = (...parameters: unknown[]): unknown => {
      const callback = parameters.at(-1);
      if (typeof callback === 'function') {
        const answered = (error: unknown, result: unknown): void => {
          this.endAfter(error);
          (callback as (error: unknown, result: unknown) => void)(error, result);
        };
        return query([...parameters.slice(0, -1), answered]);
      }
      const result = query(parameters);
      if (result instanceof Promise) result.catch((error: unknown) => this.endAfter(error));
      return result;
    };
    this.query = watched as typeof this.query;
  }

  private endAfter(error: unknown): void {
    if (error instanceof Error && error.message === 'Query read timeout') endConnection(this);
  }
}

/** Ends a connection at once, without a closing message that the server may never receive. */
export function endConnection(client: Client): void {
  (client as unknown as Connected).connection.stream.destroy();
}

/** Returns the limits for a serving process: no query blocks a caller for long, and no abandoned query holds a lock. */
export function servingLimits(gate: ConnectionGate) {
  const statements = new PreparedStatements();
  return {
    Client: class extends ImpatientClient {
      constructor(config?: ConstructorParameters<typeof Client>[0]) {
        super(gate, statements, config);
      }
    },
    query_timeout: QUERY_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  };
}
