/**
 * Removes an unused import from the compiled files of a folder. The Swagger plugin adds it to each file with a DTO, and
 * most of them never use it. It would make every probe thread load all of @nestjs/swagger before its first check.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const IMPORT = 'import * as openapi from "@nestjs/swagger";';

/** @param {string} folder the folder of compiled files */
export function leanImports(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.js')) continue;
    const path = join(entry.parentPath, entry.name);
    const code = readFileSync(path, 'utf8');
    // An empty line remains, so that the source map still matches.
    if (code.includes(IMPORT) && !code.includes('openapi.')) writeFileSync(path, code.replace(IMPORT, ''));
  }
}

const [folder] = process.argv.slice(2);
if (process.argv[1] === import.meta.filename && folder) leanImports(folder);
