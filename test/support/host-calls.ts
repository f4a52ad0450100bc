import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { fromWire, toWire } from './wire.js';

/** The addresses of a running service. */
export interface HostedService {
  origin: string;
  /** The URL by which it reaches its database. */
  databaseUrl: string;
  /** The origin of its metrics; null unless they have a port of their own. */
  metricsOrigin: string | null;
}

/** A request to the internals of one service. */
export type BackstageCall =
  | { kind: 'provider'; provider: string; method: string; args: unknown[]; inTransaction: boolean }
  | { kind: 'team'; name: string }
  | { kind: 'hold'; provider: string; method: string }
  | { kind: 'held' | 'release' | 'routes' | 'session-routes' | 'prototypes' | 'record-queries' | 'recorded-queries' };

/** A request to the process that runs the services. */
export type HostCall =
  | { kind: 'start'; databaseUrl: string; settings: Record<string, string> }
  | { kind: 'share'; settings: Record<string, string> }
  | { kind: 'stop'; origin: string; atOnce: boolean }
  | { kind: 'backstage'; origin: string; call: BackstageCall };

/** Sends a request to a host. Rejects with the error of a failed request. */
export async function callHost<T>(host: string, call: HostCall): Promise<T> {
  const answer = await fetch(host, { method: 'POST', body: toWire(call) });
  const value = fromWire(await answer.text());
  if (answer.status !== 200) throw new Error(`${toWire(call).slice(0, 200)} failed: ${String(value)}`);
  return value as T;
}

let starting: Promise<string> | undefined;

/** Returns the origin of the host that belongs to this process. The first call starts it; it ends with the process. */
export function ownHost(): Promise<string> {
  return (starting ??= startHost());
}

async function startHost(): Promise<string> {
  const entry = fileURLToPath(new URL('service-host.js', import.meta.url));
  // V8 starts with a small young generation, which several services would fill again and again.
  const flags = ['--throw-deprecation', '--min-semi-space-size=16'];
  const host = spawn(process.execPath, [...flags, entry], { stdio: ['pipe', 'pipe', 'inherit'] });
  host.once('exit', (code, signal) => {
    starting = undefined;
    // It should outlive this process, so what follows fails for this reason.
    process.stderr.write(`The process of the services under test ended: ${signal ?? `exit status ${code}`}\n`);
  });
  for await (const line of createInterface({ input: host.stdout })) {
    detach(host);
    return line;
  }
  throw new Error('the host process ended before it was ready');
}

/** Lets this process exit while the child still runs. */
function detach(child: ChildProcess): void {
  child.unref();
  for (const stream of [child.stdin, child.stdout]) (stream as unknown as { unref(): void } | null)?.unref();
}
