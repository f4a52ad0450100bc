import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type INestApplicationContext } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../test/support/database.js';
import { readConfig } from '../config/app-config.js';
import { KeyVerifier } from '../http/auth/principal.js';
import { locationKey } from '../modules/checks/job-secrets.service.js';
import { PasswordResets } from '../modules/people/password-resets.service.js';
import { TeamsService } from '../modules/teams/teams.service.js';
import { openKeyContext } from './key-context.js';

const SECRET_KEY = 'k'.repeat(32);
const SECRET = /^dw_[0-9A-Za-z]{51}_[0-9A-Za-z]{6}$/;

let database: TestDatabase;
let dataDir: string;
/** The running service, as far as API keys are concerned. */
let service: INestApplicationContext;

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'daywatch-command-'));
  service = await openKeyContext(readConfig({ DATABASE_URL: database.url, SECRET_KEY }));
});

afterAll(async () => {
  await service.close();
  await database.drop();
  await rm(dataDir, { recursive: true });
});

interface Outcome {
  code: number;
  lastLine: string;
  stderr: string;
}

function run(command: string, args: string[], settings: NodeJS.ProcessEnv = {}): Promise<Outcome> {
  const env = { PATH: process.env.PATH, DATABASE_URL: database.url, SECRET_KEY, DATA_DIR: dataDir, ...settings };
  const entry = fileURLToPath(new URL(`${command}.js`, import.meta.url));
  return new Promise((resolve) => {
    execFile(process.execPath, [entry, ...args], { env }, (error, stdout, stderr) => {
      const lastLine = stdout.trimEnd().split('\n').at(-1) ?? '';
      resolve({ code: Number(error?.code ?? 0), lastLine, stderr });
    });
  });
}

const principal = (secret: string) => service.get(KeyVerifier).verify(secret);
const teams = () => service.get(TeamsService).find();

describe('password:reset', () => {
  it('prints a link with which the person sets a new password', async () => {
    await service
      .get(DataSource)
      .query(
        `INSERT INTO users (id, email, name, password_hash) VALUES (gen_random_uuid(), 'ada@example.com', 'Ada', '-')`,
      );
    const settings = { PUBLIC_URL: 'https://watch.example.com' };
    const { code, lastLine, stderr } = await run('password-reset', ['Ada@example.com'], settings);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [, token] = /^https:\/\/watch\.example\.com\/reset-password\/([\w-]{43})$/.exec(lastLine)!;
    const resets = service.get(PasswordResets);
    await resets.reset(token!, 'another four words of length');
    await expect(resets.reset(token!, 'another four words of length')).rejects.toThrow('already been used');
  });

  it('rejects an email without an account', async () => {
    const stderr = 'There is no account with the email address "eve@example.com".\n';
    expect(await run('password-reset', ['eve@example.com'])).toMatchObject({ code: 1, stderr });
    expect(await run('password-reset', [])).toMatchObject({ code: 1, stderr: expect.stringContaining('one email') });
  });
});

describe('location:key', () => {
  it('prints the key that the service derives for the workers of a location', async () => {
    const lastLine = locationKey(SECRET_KEY, 'eu-west');
    expect(await run('location-key', ['eu-west'])).toEqual({ code: 0, lastLine, stderr: '' });
  });

  it('creates no secret key', async () => {
    const outcome = await run('location-key', [], { SECRET_KEY: undefined });
    expect(outcome).toEqual({ code: 1, lastLine: '', stderr: expect.stringContaining(dataDir) });
    expect(await readdir(dataDir)).toEqual([]);
  });
});

describe('commands for teams and API keys', () => {
  it('create a team and API keys that the running service accepts', async () => {
    expect(await run('key-create', [])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^There is no team yet\. .*team:create/),
    });
    const first = await run('team-create', ['Payments']);
    expect(first).toMatchObject({ code: 0, lastLine: expect.stringMatching(SECRET), stderr: '' });
    const [team] = await teams();
    expect(team?.name).toBe('Payments');
    expect(await principal(first.lastLine)).toMatchObject({ teamId: team?.id, scopes: ['admin'] });

    const [admin, reader] = await Promise.all([
      run('key-create', []),
      run('key-create', ['--name', 'CI', '--scopes', 'read, write']),
    ]);
    expect(await principal(admin.lastLine)).toMatchObject({ teamId: team?.id, scopes: ['admin'] });
    expect(await principal(reader.lastLine)).toMatchObject({ teamId: team?.id, scopes: ['read', 'write'] });
  });

  it('require the team to be named if there are several', async () => {
    await run('team-create', ['Search']);
    const other = (await teams()).find(({ name }) => name === 'Search')!;
    const [unnamed, unknown, byName, byId] = await Promise.all([
      run('key-create', []),
      run('key-create', ['--team', 'Nobody']),
      run('key-create', ['--team', 'Search']),
      run('key-create', ['--team', other.id]),
    ]);
    expect(unnamed).toMatchObject({ code: 1, stderr: expect.stringContaining(other.id) });
    expect(unknown).toMatchObject({ code: 1, stderr: 'There is no team with the id or name "Nobody".\n' });
    for (const { lastLine } of [byName, byId]) expect(await principal(lastLine)).toMatchObject({ teamId: other.id });
  });

  it.each<[string, string[], Record<string, string>, number, RegExp]>([
    ['team-create', ['two', 'words'], {}, 1, /Specify one name/],
    ['key-create', ['--scopes', 'root'], {}, 1, /scopes/],
    ['key-create', ['--colour', 'red'], {}, 1, /--colour/],
    ['key-create', [], { PORT: 'many' }, 78, /PORT/],
    ['key-create', [], { SECRET_KEY: 'j'.repeat(32) }, 78, /SECRET_KEY/],
    ['key-create', [], { DATABASE_URL: 'postgresql://127.0.0.1:1/none' }, 75, /ECONNREFUSED/],
  ])('%s %j with %j exits %i', async (command, args, settings, code, stderr) => {
    expect(await run(command, args, settings)).toEqual({ code, lastLine: '', stderr: expect.stringMatching(stderr) });
  });
});
