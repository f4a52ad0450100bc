/**
 * Generates clients from `build/openapi.json` with three third-party generators, and compiles an example that uses each
 * in strict TypeScript. Fails if a generator rejects the document, if its types do not fit their use, or if the known
 * values of an open list are lost. The generators are not dependencies; the argument is the folder in which they are
 * installed.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const [folder = ''] = process.argv.slice(2);
const modules = resolve(folder, 'node_modules');
const out = resolve('build/generators');
const document = resolve('build/openapi.json');

function run(name, entry, args) {
  const file = join(modules, entry);
  if (!existsSync(file)) throw new Error(`${name} is not installed in ${folder}: run npm install there`);
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], { encoding: 'utf8', cwd: folder });
  if (status !== 0) throw new Error(`${name} failed:\n${stdout}${stderr}`);
}

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const plugins = ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'];
run('hey-api', '@hey-api/openapi-ts/bin/run.js', ['-i', document, '-o', join(out, 'hey-api'), '-p', ...plugins]);
const orval = join(out, 'orval.config.cjs');
const output = { target: join(out, 'orval.ts'), client: 'fetch', mode: 'single' };
writeFileSync(orval, `module.exports = ${JSON.stringify({ daywatch: { input: document, output } })};\n`);
run('orval', 'orval/dist/bin/orval.mjs', ['--config', orval]);
const target = ['-p', document, '-o', out, '-n', 'swagger-typescript-api.ts'];
run('swagger-typescript-api', 'swagger-typescript-api/dist/cli.mjs', ['generate', ...target]);

for (const file of ['hey-api/types.gen.ts', 'orval.ts', 'swagger-typescript-api.ts']) {
  const text = readFileSync(join(out, file), 'utf8').replaceAll('"', "'");
  if (!text.includes("status: 'up' | 'degraded' | 'down' | 'unknown' | string")) {
    throw new Error(`${file} does not contain the known values of a check's status`);
  }
}

const tsc = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'test/client/generators'], {
  stdio: 'inherit',
});
process.exitCode = tsc.status ?? 1;
