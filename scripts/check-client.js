/**
 * Generates client types from the OpenAPI document that `npm run schema` writes, and compiles a script that uses every
 * operation against them. Fails if an operation is not used, or if the script uses something that the document lacks.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import openapiTypeScript, { astToString } from 'openapi-typescript';

// Uses default lint settings, because openapi-typescript does not know the exceptions to the rules in redocly.yaml.
const types = await openapiTypeScript(new URL('../build/openapi.json', import.meta.url), {
  // Properties with a default are optional in requests.
  defaultNonNullable: false,
});
mkdirSync('build/client', { recursive: true });
// Written as `.ts`, because declaration files are not checked.
writeFileSync('build/client/api.ts', astToString(types));

const { status } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'test/client'], {
  stdio: 'inherit',
});
if (status !== 0) process.stderr.write('test/client/every-route.ts does not match the OpenAPI document.\n');
process.exitCode = status ?? 1;
