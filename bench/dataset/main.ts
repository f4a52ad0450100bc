import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type DataSource } from 'typeorm';
import { readConfig } from '../../src/config/app-config.js';
import { dataSource } from '../../src/database/data-source.js';
import { EmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.js';
import { migrate } from '../../src/database/migrate.js';
import { loadSecretKey } from '../../src/database/secret-key.js';
import { opened } from '../opened.js';
import { firstKey } from '../service.js';
import { fillHistory } from './history.js';
import { fillMonitors } from './monitors.js';
import { type DatasetOptions, datasetOptions, type DatasetShape } from './shape.js';

/** A complete data set on a running cluster. */
export interface Dataset {
  database: EmbeddedPostgres;
  secretKey: string;
  /** The secret of an API key of its team. */
  key: string;
  shape: DatasetShape;
}

const MARK = 'dataset.json';

/** Creates a data set and prints its size. */
export async function makeDataset(args: string[]): Promise<void> {
  const { options } = datasetOptions(args);
  const { database } = await openDataset(options);
  await withSource(database.url, async (source) => {
    const [row]: { size: string }[] = await source.query(
      'SELECT pg_size_pretty(pg_database_size(current_database())) AS size',
    );
    say(`${options.dir}: ${row!.size}`);
  });
}

/**
 * Starts the cluster, and fills it unless it already contains this data set. An incomplete data set must be removed
 * first.
 */
export async function openDataset({ dir, ...shape }: DatasetOptions): Promise<Dataset> {
  const dataDir = resolve(dir);
  await mkdir(dataDir, { recursive: true });
  const mark = await readFile(join(dataDir, MARK), 'utf8').catch(() => null);
  if (mark !== null && mark !== markOf(shape)) throw new Error(`${dir} contains another data set, ${mark}: remove it`);
  const database = await opened(
    () => EmbeddedPostgres.start({ dataDir }),
    (one) => one.stop(),
  );
  const secretKey = await loadSecretKey(readConfig({ DATA_DIR: dataDir }));
  await migrate(database.url);
  if (mark === null) {
    await withSource(database.url, async (source) => {
      await holdLease(source);
      await firstKey(database.url, secretKey, dataDir);
      await fill(source, shape);
    });
    await writeFile(join(dataDir, MARK), markOf(shape));
  }
  const key = (await readFile(join(dataDir, 'initial-api-key'), 'utf8')).trim();
  return { database, secretKey, key, shape };
}

export async function withSource<T>(url: string, work: (source: DataSource) => Promise<T>): Promise<T> {
  // One connection, because temporary tables and settings belong to it.
  const source = await dataSource(url, 1).initialize();
  try {
    return await work(source);
  } finally {
    await source.destroy();
  }
}

async function fill(source: DataSource, shape: DatasetShape): Promise<void> {
  const [team]: { id: string }[] = await source.query('SELECT id FROM teams');
  const [{ monitors }]: [{ monitors: number }] = await source.query('SELECT count(*)::int AS monitors FROM monitors');
  if (monitors > 0) throw new Error('this folder contains an incomplete data set: remove it');
  await source.query(`SET synchronous_commit = off; SET work_mem = '256MB'; SET maintenance_work_mem = '512MB'`);
  await source.query('SELECT setseed(0.5)');
  await fillMonitors(source, team!.id, shape, timed);
  await fillHistory(source, shape, timed);
  await timed('vacuum and analyze', () => source.query('VACUUM (ANALYZE)'));
}

/** Prevents dispatching: the data set must be neither probed nor changed as time passes. */
async function holdLease(source: DataSource): Promise<void> {
  await source.query(
    `INSERT INTO leases (name, holder, epoch, expires_at, served_until)
     VALUES ('dispatcher', gen_random_uuid(), 1, now() + interval '10 years', now())`,
  );
}

const markOf = (shape: DatasetShape): string => JSON.stringify(shape);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const from = performance.now();
  const result = await work();
  say(`${what.padEnd(28)}${((performance.now() - from) / 1_000).toFixed(1).padStart(8)} s`);
  return result;
}
