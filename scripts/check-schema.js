/**
 * Fails if the entities and the migrations differ, and writes the application's OpenAPI document for the linter to
 * `build/openapi.json`. Uses a temporary database and the compiled tree in `dist`.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../dist/src/app.module.js';
import { openApiDocument, setUp } from '../dist/src/app.setup.js';
import { readConfig } from '../dist/src/config/app-config.js';
import { EmbeddedPostgres } from '../dist/src/database/embedded/embedded-postgres.js';
import { migrate } from '../dist/src/database/migrate.js';
import { APPLICATION_OPTIONS } from '../dist/src/http/conventions.js';

const dataDir = mkdtempSync(join(tmpdir(), 'daywatch-check-'));
// As root, the server runs as another user, which must be able to enter this folder: otherwise the cluster would be
// created elsewhere and not be removed.
chmodSync(dataDir, 0o711);
const server = await EmbeddedPostgres.start({ dataDir });
try {
  await migrate(server.url);
  const drift = spawnSync(
    process.execPath,
    ['node_modules/typeorm/cli.js', 'migration:generate', '-d', 'dist/ormconfig.js', '--check', 'build/drift'],
    { stdio: 'inherit', env: { ...process.env, DATABASE_URL: server.url } },
  );
  process.exitCode = drift.status ?? 1;

  const config = readConfig({ DATABASE_URL: server.url, SECRET_KEY: 'x'.repeat(32), LOG_LEVEL: 'silent' });
  const app = await NestFactory.create(AppModule.of(config), { ...APPLICATION_OPTIONS, logger: false });
  setUp(app);
  mkdirSync('build', { recursive: true });
  writeFileSync('build/openapi.json', JSON.stringify(openApiDocument(app), null, 2));
  await app.close();
} finally {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
