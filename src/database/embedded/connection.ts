import { PORT } from './cluster.js';

/** Where a server is reached: `host` is the folder of its unix socket. There is no password. */
export interface Connection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

export function connectionTo(socketDir: string, user: string, database: string): Connection {
  return { host: socketDir, port: PORT, user, database };
}

/** The connection in the form that `pg`, TypeORM and libpq read alike. */
export function connectionUrl({ host, port, user, database }: Connection): string {
  const [who, what, where] = [user, database, host].map(encodeURIComponent);
  return `postgresql://${who}@/${what}?host=${where}&port=${port}`;
}
