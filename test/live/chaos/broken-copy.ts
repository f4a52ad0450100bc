import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brokenText, type Variant } from './variants.js';

const COMPILED = fileURLToPath(new URL('../../../src', import.meta.url));

/** A copy of the compiled service in which one module is broken. */
export interface BrokenCopy {
  /** The entry file. */
  main: string;
  remove(): Promise<void>;
}

/** Copies the service to a folder beside it, where it finds the same packages. */
export async function breakCopy(variant: Variant): Promise<BrokenCopy> {
  const folder = join(COMPILED, '../..', `variant-${variant.name}-${process.pid}`);
  const copy = join(folder, 'src');
  await cp(COMPILED, copy, { recursive: true });
  const file = join(copy, variant.file);
  await writeFile(file, brokenText(variant, await readFile(file, 'utf8')));
  return { main: join(copy, 'main.js'), remove: () => rm(folder, { recursive: true, force: true }) };
}
