/**
 * Removes compiled files whose source no longer exists. The compiler leaves them, and Jest would still run the tests
 * among them.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';

const [folder] = process.argv.slice(2);
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !/\.js(\.map)?$/.test(entry.name)) continue;
  const path = join(entry.parentPath, entry.name);
  const source = relative(folder, path).replace(/\.js(\.map)?$/, '');
  if (!existsSync(`${source}.ts`) && !existsSync(`${source}.tsx`)) rmSync(path);
}
