import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';

/** Where systems keep these programs. A list of our own: what runs must not depend on the environment of the service. */
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

/** A program that sends one ICMP echo. */
export interface PingTool {
  name: 'fping' | 'ping';
  /** Absolute path of the program. */
  path: string;
}

/** The program that is installed, `fping` rather than `ping`, or `null`. Looks each time: one may be installed meanwhile. */
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
 * The arguments for one echo to an IP address, which as a literal decides the address family and cannot be taken for an
 * option. Pure.
 */
export function pingArguments({ name }: PingTool, address: string, waitMs: number, platform: string): string[] {
  if (name === 'fping') return ['-c', '1', '-t', String(Math.ceil(waitMs)), address];
  const wait = platform === 'darwin' ? Math.ceil(waitMs) : Math.ceil(waitMs / 1_000);
  return ['-n', '-c', '1', '-W', String(wait), address];
}
