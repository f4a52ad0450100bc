/**
 * Takes an import out of the compiled files of a folder that the Swagger plugin adds to each file with a DTO, and that
 * most of them never use: it would make every probe thread load the whole of @nestjs/swagger before its first check.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const IMPORT = 'import * as openapi from "@nestjs/swagger";';

/** @param {string} folder of compiled files */
export function leanImports(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.js')) continue;
    const path = join(entry.parentPath, entry.name);
    const code = readFileSync(path, 'utf8');
    // The line stays, for the source map.
    if (code.includes(IMPORT) && !code.includes('openapi.')) writeFileSync(path, code.replace(IMPORT, ''));
  }
}

const [folder] = process.argv.slice(2);
if (process.argv[1] === import.meta.filename && folder) leanImports(folder);
