import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';

/** Usual folders of these programs. A fixed list, because the program must not depend on the service's environment. */
const FOLDERS = [
  '/usr/local/sbin',
  '/usr/local/bin',
  '/usr/sbin',
  '/usr/bin',
  '/sbin',
  '/bin',
  '/opt/homebrew/sbin',
  '/opt/homebrew/bin',
];

/** A program that sends one ICMP echo request. */
export interface PingTool {
  name: 'fping' | 'ping';
  /** Absolute path of the program. */
  path: string;
}

/**
 * Returns the installed program, preferring `fping` to `ping`, or `null`. Searches on each call, because a program may
 * be installed in the meantime.
 */
export function findPingTool(folders: readonly string[] = FOLDERS): PingTool | null {
  for (const name of ['fping', 'ping'] as const) {
    const path = folders.map((folder) => join(folder, name)).find(isExecutable);
    if (path !== undefined) return { name, path };
  }
  return null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the arguments for one echo request to an IP address. Being a literal, the address determines the address
 * family and cannot be mistaken for an option.
 */
export function pingArguments({ name }: PingTool, address: string, waitMs: number, platform: string): string[] {
  if (name === 'fping') return ['-c', '1', '-t', String(Math.ceil(waitMs)), address];
  const wait = platform === 'darwin' ? Math.ceil(waitMs) : Math.ceil(waitMs / 1_000);
  return ['-n', '-c', '1', '-W', String(wait), address];
}
