import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type INestApplicationContext } from '@nestjs/common';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { openKeyContext } from '../../commands/key-context.js';
import { readConfig } from '../../config/app-config.js';
import { KeyVerifier } from '../../http/auth/principal.js';
import { TeamsService } from '../teams/teams.service.js';
import { ApiKeysService } from './api-keys.service.js';
import { BootstrapService } from './bootstrap.service.js';

let database: TestDatabase;
let root: string;
let contexts: INestApplicationContext[];

beforeEach(async () => {
  database = await createTestDatabase();
  root = await mkdtemp(join(tmpdir(), 'daywatch-bootstrap-'));
  contexts = [];
});

afterEach(async () => {
  for (const context of contexts) await context.close();
  await database.drop();
  await rm(root, { recursive: true });
});

async function start(dataDir: string): Promise<INestApplicationContext> {
  const settings = { DATABASE_URL: database.url, SECRET_KEY: 'k'.repeat(32), DATA_DIR: dataDir };
  const context = await openKeyContext(readConfig(settings));
  contexts.push(context);
  return context;
}

const bootstrap = (context: INestApplicationContext) => context.get(BootstrapService);
const teams = (context: INestApplicationContext) => context.get(TeamsService).find();

describe('ensureFirstTeam', () => {
  it('creates a team and an admin key once, and stores the secret in a file that only its owner can read', async () => {
    const dataDir = join(root, 'new', 'data');
    const context = await start(dataDir);
    const secret = (await bootstrap(context).ensureFirstTeam())!.secret;
    const file = join(dataDir, 'initial-api-key');
    expect(await readFile(file, 'utf8')).toBe(`${secret}\n`);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(dataDir)).toEqual(['initial-api-key']);

    const principal = await context.get(KeyVerifier).verify(secret);
    expect(principal).toMatchObject({ scopes: ['admin'] });
    const key = await context.get(ApiKeysService).get(principal!.teamId, principal!.keyId);
    expect(key).toMatchObject({ createdBy: 'system', expiresAt: null });
    expect(await teams(context)).toEqual([{ id: principal!.teamId, name: 'Default' }]);

    expect(await bootstrap(context).ensureFirstTeam()).toBeNull();
    expect(await readFile(file, 'utf8')).toBe(`${secret}\n`);
  });

  it('creates one team if several processes start together', async () => {
    const dirs = ['a', 'b', 'c', 'd'].map((name) => join(root, name));
    const started = await Promise.all(dirs.map(start));
    const made = await Promise.all(started.map((context) => bootstrap(context).ensureFirstTeam()));
    const secrets = made.filter((one) => one !== null);
    expect(secrets).toHaveLength(1);
    expect(await readdir(root)).toEqual([dirs[made.indexOf(secrets[0]!)]!.slice(-1)]);
    expect(await teams(started[0]!)).toHaveLength(1);
  });

  it('creates no team while the file cannot be written, and creates it once it can', async () => {
    const dataDir = join(root, 'data');
    await writeFile(dataDir, 'a file in the way');
    const context = await start(dataDir);
    await expect(bootstrap(context).ensureFirstTeam()).rejects.toThrow();
    expect(await teams(context)).toEqual([]);
    await rm(dataDir);
    expect(await bootstrap(context).ensureFirstTeam()).not.toBeNull();
  });

  it('replaces the file of an interrupted start', async () => {
    await writeFile(join(root, 'initial-api-key'), 'dw_stale\n', { mode: 0o644 });
    await writeFile(join(root, `.initial-api-key.${process.pid}`), 'half', { mode: 0o644 });
    const secret = (await bootstrap(await start(root)).ensureFirstTeam())!.secret;
    expect(await readdir(root)).toEqual(['initial-api-key']);
    expect(await readFile(join(root, 'initial-api-key'), 'utf8')).toBe(`${secret}\n`);
    expect((await stat(join(root, 'initial-api-key'))).mode & 0o777).toBe(0o600);
  });
});
