/**
 * Compiles the service into `dist`, and describes its API there. With `--if-stale`, only if a source has changed, so that
 * a start need not wait.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildWeb } from './build-web.js';
import { leanImports } from './lean-imports.js';

const STAMP = 'dist/.built';
const INPUTS = [
  'src',
  'ormconfig.ts',
  'package.json',
  'package-lock.json',
  'nest-cli.json',
  'tsconfig.json',
  'tsconfig.build.json',
];

/** Returns the latest modification time at or below a path. A folder changes when an entry is added or removed. */
function changedAt(path) {
  const found = statSync(path);
  if (!found.isDirectory()) return found.mtimeMs;
  return Math.max(found.mtimeMs, ...readdirSync(path).map((entry) => changedAt(join(path, entry))));
}

const builtAt = statSync(STAMP, { throwIfNoEntry: false })?.mtimeMs ?? 0;
if (!process.argv.includes('--if-stale') || builtAt < Math.max(...INPUTS.map(changedAt))) {
  const service = spawnSync(process.execPath, ['node_modules/@nestjs/cli/bin/nest.js', 'build'], {
    stdio: 'inherit',
  });
  let status = service.status || buildWeb('dist');
  if (status === 0) {
    leanImports('dist');
    ({ status } = spawnSync(process.execPath, ['scripts/write-openapi.js', 'dist'], { stdio: 'inherit' }));
  }
  if (status === 0) writeFileSync(STAMP, '');
  process.exitCode = status ?? 1;
}
