import { execFileSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';

/** Whether a test can have a disk of its own: only root can mount one. */
export const CAN_MOUNT = process.getuid?.() === 0 && process.platform === 'linux';

/** Puts an empty disk of this size in a new folder; gives what takes it away. */
export async function mountDisk(folder: string, kib: number): Promise<() => void> {
  await mkdir(folder, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kib}k`, 'tmpfs', folder]);
  return () => void execFileSync('umount', ['--lazy', folder]);
}
