import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const closers: (() => Promise<unknown>)[] = [];
let closing = false;

/**
 * Gives what `open` does, and closes it when the bench ends: done, failed or by a signal, which may come while it is
 * being opened. Closing must be harmless where the bench has done so itself.
 */
export async function opened<T>(open: () => Promise<T>, close: (one: T) => Promise<unknown>): Promise<T> {
  if (closing) throw new Error('the bench ends');
  const opening = open();
  closers.push(() => opening.then(close, () => undefined));
  return opening;
}

/** A new folder, which is removed when the bench ends. */
export function openFolder(): Promise<string> {
  const make = async (): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), 'daywatch-bench-'));
    // So that root, too, has its database in there.
    await chmod(folder, 0o711);
    return folder;
  };
  return opened(make, (folder) => rm(folder, { recursive: true, force: true }));
}

/** Closes all that is open, the newest first. What cannot be closed is told, and keeps nothing else open. */
export async function closeOpened(): Promise<void> {
  closing = true;
  for (const close of closers.splice(0).reverse()) {
    await close().catch((error: Error) => process.stderr.write(`${error.stack}\n`));
  }
}
