import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';

const STOPS_WITHIN_MS = 20_000;
const PATH = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];

/** Returns the path of a program of this machine; undefined if it is not installed. */
export function programOf(name: string): string | undefined {
  return PATH.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** A server program that runs in a folder of its own, until a test ends it. */
export class RealServer {
  private constructor(
    private readonly child: ChildProcess,
    readonly folder: string,
    readonly port: number,
  ) {}

  /**
   * Starts a program on 127.0.0.1 and a free port, which `prepare` writes into its arguments and configuration. Resolves
   * once it accepts connections, unless it does not use TCP.
   */
  static async start(
    program: string,
    prepare: (folder: string, port: number) => Promise<string[]>,
    { options = {}, isTcp = true }: { options?: object; isTcp?: boolean } = {},
  ): Promise<RealServer> {
    const folder = await mkdtemp(join(tmpdir(), 'daywatch-server-'));
    // Servers that root starts may run as another user.
    await chmod(folder, 0o755);
    const port = await freePort();
    const child = spawn(program, await prepare(folder, port), { stdio: 'ignore', ...options });
    const server = new RealServer(child, folder, port);
    if (isTcp) {
      await eventually(() => accepts(port), 60_000).catch(async (error: unknown) => {
        await server.stop();
        throw error;
      });
    }
    return server;
  }

  async stop(): Promise<void> {
    const { child } = this;
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      // With SIGKILL, some would leave the processes that they have started.
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), STOPS_WITHIN_MS);
      await ended;
      clearTimeout(late);
    }
    await rm(this.folder, { recursive: true, force: true });
  }
}

async function accepts(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
  } finally {
    socket.destroy();
  }
}
