/**
 * Generates a client's types from the OpenAPI document of `npm run schema`, and compiles the script that uses every
 * operation against them: fails where an operation is not used, or where the script uses what the document lacks.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import openapiTypeScript, { astToString } from 'openapi-typescript';

// Its own settings, not those of the linter, whose exceptions it does not know.
const types = await openapiTypeScript(new URL('../build/openapi.json', import.meta.url), {
  // What has a default may be left out of what is sent.
  defaultNonNullable: false,
});
mkdirSync('build/client', { recursive: true });
// Not a declaration file: those are not checked.
writeFileSync('build/client/api.ts', astToString(types));

const { status } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'test/client'], {
  stdio: 'inherit',
});
if (status !== 0) process.stderr.write('test/client/every-route.ts and the OpenAPI document do not agree.\n');
process.exitCode = status ?? 1;
