import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const entry = (name: string): string => fileURLToPath(new URL(`${name}.js`, import.meta.url));
const children: ChildProcess[] = [];
let dataDir: string;
let port: number;
let origin: string;
/** Counts the requests that another installation would send. */
const watchdog = createHttpServer((_, response) => response.end());
let beats = 0;
watchdog.on('request', () => (beats += 1));

beforeAll(async () => {
  await once(watchdog.listen(0, '127.0.0.1'), 'listening');
  dataDir = await mkdtemp(join(tmpdir(), 'daywatch-demo-'));
  // A server that root starts runs as another user, which needs access to the folder.
  await chmod(dataDir, 0o711);
  port = await freePort();
  origin = `http://127.0.0.1:${port}`;
});

afterEach(() => children.splice(0).forEach((child) => child.kill('SIGKILL')));

afterAll(async () => {
  await databaseServer();
  await rm(dataDir, { recursive: true });
  watchdog.close();
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: free } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return free;
}

function start(settings: Record<string, string> = {}): ChildProcess {
  // The settings of another installation must not affect the demo.
  const foreign = {
    DATABASE_URL: 'postgresql://127.0.0.1:1/none',
    REDIS_URL: 'redis://127.0.0.1:1',
    ROLES: 'api,notifier',
    LOCATION: 'elsewhere',
    SECRET_KEY: 'k'.repeat(32),
    WATCHDOG_URL: `http://127.0.0.1:${(watchdog.address() as AddressInfo).port}/`,
  };
  const child = spawn(process.execPath, [entry('demo')], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: String(port), ...foreign, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  return child;
}

async function started(): Promise<{ child: ChildProcess; said: string }> {
  const child = start();
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout! })) {
    lines.push(line);
    if (line.startsWith('Press Ctrl-C')) return { child, said: lines.join('\n') };
  }
  throw new Error(`The demo ended: ${lines.join('\n')}`);
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<unknown> {
  const exit = once(child, 'exit');
  child.kill(signal);
  return (await exit)[0];
}

/** Stops a database server that may still be running, and returns the output of the command. */
async function databaseServer(): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [entry('db-stop')], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir },
  });
  return stdout;
}

async function monitors(): Promise<{ key: string; status: string; revision: number }[]> {
  const key = (await readFile(join(dataDir, 'initial-api-key'), 'utf8')).trim();
  const response = await fetch(`${origin}/v1/monitors`, { headers: { Authorization: `Bearer ${key}` } });
  return ((await response.json()) as { data: { key: string; status: string; revision: number }[] }).data;
}

describe('the demo', () => {
  it('shows each kind of target, continues with its data after a restart, and stops completely', async () => {
    const first = await started();
    expect(first.said).toContain(`${origin}/status/demo`);
    expect(first.said).toContain(`${origin}/docs`);
    for (const path of ['/status/demo', '/status/demo.json', '/docs']) {
      expect((await fetch(origin + path)).status).toBe(200);
    }
    const known = { 'demo-healthy': 'up', 'demo-slow': 'degraded', 'demo-tcp': 'up' };
    for (const deadline = Date.now() + 30_000; Date.now() < deadline; await delay(100)) {
      const seen = Object.fromEntries((await monitors()).map(({ key, status }) => [key, status]));
      if (Object.entries(known).every(([key, status]) => seen[key] === status)) break;
    }
    const before = await monitors();
    expect(Object.fromEntries(before.map(({ key, status }) => [key, status]))).toMatchObject(known);
    expect(beats).toBe(0);
    expect(await ended(first.child, 'SIGINT')).toBe(0);
    await expect(fetch(`http://127.0.0.1:${port + 1}/`)).rejects.toThrow();
    expect(await databaseServer()).toContain('No database server');

    const second = await started();
    expect((await monitors()).map(({ key }) => key).toSorted()).toEqual(before.map(({ key }) => key).toSorted());
    expect(await ended(second.child, 'SIGKILL')).toBeNull();
    // A killed service leaves its database server running.
    expect(await databaseServer()).toContain('Stopped the database server');
    expect(await databaseServer()).toContain('No database server');
  }, 90_000);

  it.each<[string, () => Promise<Record<string, string>>, number, RegExp]>([
    ['a wrong setting', () => Promise.resolve({ RETENTION_DAYS: 'x' }), 78, /RETENTION_DAYS/],
    ['port 0', () => Promise.resolve({ PORT: '0' }), 78, /PORT/],
    ['a port that is in use', takenPort, 75, /EADDRINUSE.* PORT/],
  ])('does not start with %s', async (_what, settings, code, stderr) => {
    const child = start(await settings());
    let said = '';
    child.stderr!.on('data', (chunk) => (said += String(chunk)));
    expect((await once(child, 'close'))[0]).toBe(code);
    expect(said).toMatch(stderr);
    expect(await databaseServer()).toContain('No database server');
  });
});

async function takenPort(): Promise<Record<string, string>> {
  const server = createServer().listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  return { PORT: String((server.address() as AddressInfo).port) };
}
