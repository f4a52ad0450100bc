import { expect } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { readConfig } from '../../src/config/app-config.js';
import { ROLES } from '../../src/config/roles.js';
import { SETTINGS } from '../../src/config/settings.js';

/** How many processes of each role run, and how many workers at each location. */
const PROCESSES = { api: 2, dispatcher: 2, recorder: 2, notifier: 2 };
const WORKERS = { default: 2, 'eu-west': 2 };
/** Connections that PostgreSQL accepts by default, without those that it reserves for administrators. */
const MAX_CONNECTIONS = 97;
/** The settings with secrets and addresses, which come from files that are not part of the repository. */
export const SECRETS = {
  DATABASE_URL: 'postgresql://daywatch:secret@postgres/daywatch',
  REDIS_URL: 'redis://:secret@redis:6379',
  SECRET_KEY: 's'.repeat(40),
  REDIS_PREFIX: 'daywatch',
  SHARDS: '16',
  LOCATION_KEY: 'l'.repeat(40),
  ADMIN_EMAIL: 'admin@example.com',
  ADMIN_PASSWORD: 'a long password',
};

/** The environment variables of a process. */
export type Environment = Record<string, string>;

/** Reads a file of the repository. */
export const source = (path: string): Promise<string> =>
  readFile(new URL(`../../../../${path}`, import.meta.url), 'utf8');

/** Returns what is added up over these, by key. */
function totals<T>(all: readonly T[], keyOf: (one: T) => string, countOf: (one: T) => number): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const one of all) sums[keyOf(one)] = (sums[keyOf(one)] ?? 0) + countOf(one);
  return sums;
}

/** Processes with the same environment. */
interface Processes {
  environment: Environment;
  replicas: number;
  /** How many more run while they are replaced. */
  surge?: number;
}

/** Fails unless this number of processes with these environments does all of the work, and each of them starts. */
export function expectComplete(processes: readonly Processes[]): void {
  const withDatabase = processes.filter(({ environment }) => environment.ROLES !== 'worker');
  const workers = processes.filter(({ environment }) => environment.ROLES === 'worker');
  const countOf = ({ replicas }: { replicas: number }): number => replicas;
  expect(totals(withDatabase, ({ environment }) => environment.ROLES!, countOf)).toEqual(PROCESSES);
  expect(totals(workers, ({ environment }) => environment.LOCATION!, countOf)).toEqual(WORKERS);
  expect([...Object.keys(PROCESSES), 'worker'].sort()).toEqual([...ROLES].sort());
  for (const { environment } of processes) {
    expect(Object.keys(environment).filter((name) => !(name in SETTINGS))).toEqual([]);
    expect(readConfig(environment).get('ROLES')).toEqual([environment.ROLES]);
  }
  for (const { environment } of workers) {
    expect(environment).toMatchObject({ REDIS_URL: expect.any(String), LOCATION_KEY: expect.any(String) });
    for (const name of ['DATABASE_URL', 'SECRET_KEY', 'ADMIN_PASSWORD']) expect(environment).not.toHaveProperty(name);
  }
  const connections = withDatabase.map(
    ({ environment, replicas, surge = 0 }) => (replicas + surge) * (Number(environment.DATABASE_POOL) + 1),
  );
  expect(connections.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(MAX_CONNECTIONS);
  for (const name of ['REDIS_PREFIX', 'SHARDS'] as const) {
    expect(new Set(processes.map(({ environment }) => environment[name] ?? SETTINGS[name].default)).size).toBe(1);
  }
}
