import { findCluster } from './cluster.js';
import { connectionTo, type Connection } from './connection.js';
import { APPLICATION } from './owner-session.js';
import { isPostmasterOf, livePostmaster } from './postmaster-file.js';
import { endServer } from './postmaster.js';

/**
 * Returns where the live server of a DATA_DIR accepts connections; null if there is none or it is not ready. For
 * commands that work while the service is running. Throws EmbeddedPostgresError if this user cannot access it.
 */
export async function locate(dataDir: string): Promise<Connection | null> {
  const cluster = await findCluster(dataDir);
  const server = cluster && (await livePostmaster(cluster));
  return cluster && server?.ready
    ? connectionTo(server.socketDir ?? cluster.socketDir, APPLICATION, APPLICATION)
    : null;
}

/**
 * Stops the live server of a DATA_DIR and returns whether there was one. Meant for a server whose service was killed. A
 * running service restarts its server, so stop the service first.
 */
export async function stopOrphan(dataDir: string): Promise<boolean> {
  const cluster = await findCluster(dataDir);
  const server = cluster && (await livePostmaster(cluster));
  if (!server) return false;
  await endServer(server.pid, () => isPostmasterOf(cluster, server.pid));
  return true;
}
