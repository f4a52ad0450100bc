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

/** A program that sends ICMP echo requests. */
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

/** How many echo requests to send, how far apart, and how long to wait for the reply to the last one. */
export interface EchoPlan {
  count: number;
  periodMs: number;
  waitMs: number;
}

const USUAL_PERIOD_MS = 200;
/** The programs refuse to send faster, unless they run as root. */
const LEAST_PERIOD_MS = { fping: 10, ping: 200 };
const LEAST_WAIT_MS = 10;
/** What the program needs to end by itself before the deadline, at which it is killed. */
const MARGIN_MS = 100;

/**
 * Returns the plan for this many requests, or as many as can be sent within half of the time that is left until the
 * deadline. A single request may use all of it.
 */
export function echoPlan({ name }: Pick<PingTool, 'name'>, most: number, leftMs: number): EchoPlan {
  const fastMs = Math.min(USUAL_PERIOD_MS, Math.floor(leftMs / (2 * most)));
  const periodMs = Math.max(LEAST_PERIOD_MS[name], fastMs);
  const count = Math.max(1, Math.min(most, Math.floor(leftMs / (2 * periodMs))));
  const waitMs = count === 1 ? leftMs : leftMs - periodMs * (count - 1) - MARGIN_MS;
  return { count, periodMs, waitMs: Math.max(LEAST_WAIT_MS, waitMs) };
}

/**
 * Returns the arguments for echo requests to an IP address. Being a literal, the address determines the address family
 * and cannot be mistaken for an option.
 */
export function pingArguments({ name }: PingTool, address: string, plan: EchoPlan, platform: string): string[] {
  const count = ['-c', String(plan.count)];
  if (name === 'fping') {
    const period = plan.count === 1 ? [] : ['-p', String(plan.periodMs)];
    return [...count, ...period, '-t', String(Math.ceil(plan.waitMs)), address];
  }
  const period = plan.count === 1 ? [] : ['-i', String(plan.periodMs / 1_000)];
  const wait = platform === 'darwin' ? Math.ceil(plan.waitMs) : Math.ceil(plan.waitMs / 1_000);
  return ['-n', ...count, ...period, '-W', String(wait), address];
}
