import { PORT } from './cluster.js';

/** How to reach a server: `host` is the directory of its Unix socket. There is no password. */
export interface Connection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

export function connectionTo(socketDir: string, user: string, database: string): Connection {
  return { host: socketDir, port: PORT, user, database };
}

/** Returns the connection as a URL that `pg`, TypeORM and libpq all parse the same way. */
export function connectionUrl({ host, port, user, database }: Connection): string {
  const [who, what, where] = [user, database, host].map(encodeURIComponent);
  return `postgresql://${who}@/${what}?host=${where}&port=${port}`;
}
