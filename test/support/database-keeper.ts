/**
 * A process beside a run of the tests. It starts a throw-away cluster, or uses the given server, reports the connection
 * on its standard output, and removes everything when its standard input closes. That happens however the run ends,
 * even by kill -9.
 *
 * Arguments: the prefix of the run's databases, and optionally the URL of a server to use.
 */
import { once } from 'node:events';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { clusterAt, prepareFolders, type Cluster } from '../../src/database/embedded/cluster.js';
import { connectionTo, connectionUrl } from '../../src/database/embedded/connection.js';
import { initialiseCluster, SUPERUSER } from '../../src/database/embedded/initialise-cluster.js';
import { nativeBinaries } from '../../src/database/embedded/native-binaries.js';
import { APPLICATION, ensureDatabase, openSession } from '../../src/database/embedded/owner-session.js';
import { isPostmasterOf, livePostmaster } from '../../src/database/embedded/postmaster-file.js';
import { endServer, lastWords, launchPostmaster } from '../../src/database/embedded/postmaster.js';
import { canPassThrough, isRoot, newServerAccount } from '../../src/database/embedded/server-account.js';
import { dropDatabases, type DatabaseRun } from './database-run.js';

const START_TIMEOUT_MS = 30_000;

const [prefix = '', givenUrl] = process.argv.slice(2);
process.stdin.resume();
// The run may be killed before it reads the report; the clean-up must still happen.
process.stdout.on('error', () => undefined);
const over = Promise.race([once(process.stdin, 'close'), once(process, 'SIGTERM'), once(process, 'SIGINT')]);

if (givenUrl) {
  report({ adminUrl: givenUrl, applicationUrl: givenUrl, owner: null, copiesFiles: false, prefix });
  await over;
  await dropDatabases(givenUrl, prefix);
} else {
  const cluster = await throwAwayCluster();
  try {
    await startServer(cluster);
    report({
      adminUrl: connectionUrl(connectionTo(cluster.socketDir, SUPERUSER, 'postgres')),
      applicationUrl: connectionUrl(connectionTo(cluster.socketDir, APPLICATION, APPLICATION)),
      owner: APPLICATION,
      copiesFiles: true,
      prefix,
    });
    await over;
  } finally {
    const server = await livePostmaster(cluster);
    if (server) await endServer(server.pid, () => isPostmasterOf(cluster, server.pid));
    await rm(cluster.home, { recursive: true, force: true });
    await rm(cluster.socketDir, { recursive: true, force: true });
  }
}
process.stdin.destroy();

function report(run: DatabaseRun): void {
  process.stdout.write(`${JSON.stringify(run)}\n`);
}

async function throwAwayCluster(): Promise<Cluster> {
  const account = await newServerAccount();
  const usual = await realpath(tmpdir());
  const parent = !isRoot() || (await canPassThrough(usual, account)) ? usual : '/tmp';
  return clusterAt(await mkdtemp(join(parent, 'daywatch-test-')), account);
}

async function startServer(cluster: Cluster): Promise<void> {
  await prepareFolders(cluster);
  const native = await nativeBinaries(cluster.account, cluster.home);
  await initialiseCluster(cluster, native, false);
  await launchPostmaster(cluster, native, false);
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const session = await openSession(cluster);
    if (session instanceof Client) {
      await ensureDatabase(session);
      return session.end();
    }
    if (Date.now() > deadline) throw new Error(`PostgreSQL does not start: ${await lastWords(cluster)}`);
    await delay(10);
  }
}
