import { execFileSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';

/** Whether a test can mount a disk of its own, which takes Linux and root. */
export const CAN_MOUNT = process.getuid?.() === 0 && process.platform === 'linux';

/** Mounts an empty disk of this size at a new folder. Returns a function that unmounts it. */
export async function mountDisk(folder: string, kib: number): Promise<() => void> {
  await mkdir(folder, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kib}k`, 'tmpfs', folder]);
  return () => void execFileSync('umount', ['--lazy', folder]);
}
