/**
 * Fails if the entities and the migrations differ, and writes the OpenAPI document in lines, for the linter, to
 * `build/openapi.json`. Uses a temporary database and the compiled tree in `dist`.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgres } from '../dist/src/database/embedded/embedded-postgres.js';
import { migrate } from '../dist/src/database/migrate.js';

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
} finally {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
mkdirSync('build', { recursive: true });
writeFileSync('build/openapi.json', JSON.stringify(JSON.parse(readFileSync('dist/openapi.json', 'utf8')), null, 2));
