/** Compiles the browser modules in `src/web` and copies its style sheets into a build of the service in `folder`. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const SOURCE = 'src/web';

/** @param {string} folder the folder of compiled files. @returns the exit code of the compiler */
export function buildWeb(folder) {
  const target = join(folder, SOURCE);
  // Files of removed modules would otherwise still be served.
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const options = ['-p', SOURCE, '--outDir', target];
  const { status } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', ...options], { stdio: 'inherit' });
  for (const name of readdirSync(SOURCE).filter((one) => one.endsWith('.css'))) {
    copyFileSync(join(SOURCE, name), join(target, name));
  }
  return status ?? 1;
}

const [folder] = process.argv.slice(2);
if (process.argv[1] === import.meta.filename && folder) process.exitCode = buildWeb(folder);
