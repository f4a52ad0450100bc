import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const closers: (() => Promise<unknown>)[] = [];
let closing = false;

/**
 * Returns the result of `open`, and closes it when the benchmark ends: by completion, failure or a signal, which may
 * arrive while it is being opened. Closing must be harmless if the benchmark has already closed it.
 */
export async function opened<T>(open: () => Promise<T>, close: (one: T) => Promise<unknown>): Promise<T> {
  if (closing) throw new Error('the benchmark is ending');
  const opening = open();
  closers.push(() => opening.then(close, () => undefined));
  return opening;
}

/** Creates a new folder, which is removed when the benchmark ends. */
export function openFolder(): Promise<string> {
  const make = async (): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), 'daywatch-bench-'));
    // Lets the database server enter the folder when root runs the benchmark, as the server then runs as another user.
    await chmod(folder, 0o711);
    return folder;
  };
  return opened(make, (folder) => rm(folder, { recursive: true, force: true }));
}

/** Closes everything that is open, newest first. Prints errors, and continues after them. */
export async function closeOpened(): Promise<void> {
  closing = true;
  for (const close of closers.splice(0).reverse()) {
    await close().catch((error: Error) => process.stderr.write(`${error.stack}\n`));
  }
}
