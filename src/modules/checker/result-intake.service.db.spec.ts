import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestingModule } from '@nestjs/testing';
import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { eventually } from '../../../test/support/eventually.js';
import { resultOf } from '../../../test/support/history.js';
import { serviceModule } from '../../../test/support/service-module.js';
import { type TeamId } from '../../http/auth/principal.js';
import { ExclusionsModule } from '../exclusions/exclusions.module.js';
import { MonitorWritesService } from '../monitors/definition/monitor-writes.service.js';
import { CheckerModule } from './checker.module.js';
import { ResultIntakeService } from './result-intake.service.js';
import { Spool } from './spool.js';

let database: TestDatabase;
let dataDir: string;
let module: TestingModule;

beforeAll(async () => {
  [database, dataDir] = await Promise.all([createTestDatabase(), mkdtemp(join(tmpdir(), 'daywatch-intake-'))]);
  module = await serviceModule({ DATABASE_URL: database.url, DATA_DIR: dataDir }, [CheckerModule, ExclusionsModule])
    .setLogger({ log: () => undefined, warn: () => undefined, error: () => undefined })
    .compile();
  // No timers run here.
  await module.init();
});
afterAll(async () => {
  await module?.close();
  await database?.drop();
  if (dataDir) await rm(dataDir, { recursive: true });
});

describe('the result intake', () => {
  it('records what another process left in the spool after this one had started', async () => {
    const source = module.get(DataSource);
    const team = uuidv7() as TeamId;
    await source.query('INSERT INTO teams (id, name) VALUES ($1, $2)', [team, 'Team']);
    const definition = { name: 'M', type: 'http', url: 'https://example.com/' };
    const { id } = await module.get(MonitorWritesService, { strict: false }).create(team, definition);
    await source.query(`UPDATE monitors SET created_at = now() - interval '1 hour'`);
    const folder = join(dataDir, 'spool');
    const ended = new Spool(folder, 1_048_576);
    const at = Date.now() - 60_000;
    await ended.append([resultOf(id, at, at, 'up')]);
    await ended.close();
    const earlier = new Date(Date.now() - 120_000);
    for (const name of await readdir(folder)) await utimes(join(folder, name), earlier, earlier);
    await module.get(ResultIntakeService).recoverIdle();
    await eventually(async () => {
      expect(await source.query('SELECT scheduled_at FROM checks')).toEqual([{ scheduled_at: new Date(at) }]);
      expect(await readdir(folder)).toEqual([]);
    });
  });
});
