import { connect } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import { type Relay, startRelay } from './relay.js';

/** A relay in front of a database, with which a test can make the database unavailable to one service. */
export interface DatabaseLink extends Omit<Relay, 'port'> {
  /** The URL of the database through this relay. */
  url: string;
}

export async function linkTo(databaseUrl: string): Promise<DatabaseLink> {
  const { host, port, user, password, database } = new Client({ connectionString: databaseUrl });
  const { port: ownPort, ...relay } = await startRelay(() =>
    host.startsWith('/') ? connect(join(host, `.s.PGSQL.${port}`)) : connect(port, host),
  );
  const credentials = [user ?? '', password ?? ''].map(encodeURIComponent).join(':');
  return { ...relay, url: `postgresql://${credentials}@127.0.0.1:${ownPort}/${database}` };
}
