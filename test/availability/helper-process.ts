import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A program of this folder that writes one line per response. */
export class HelperProcess {
  private readonly child: ChildProcess;
  private readonly lines: AsyncIterator<string>;

  constructor(file: string, ...args: string[]) {
    const entry = fileURLToPath(new URL(file, import.meta.url));
    this.child = spawn(process.execPath, [entry, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.lines = createInterface({ input: this.child.stdout! })[Symbol.asyncIterator]();
  }

  async nextLine(): Promise<string> {
    return (await this.lines.next()).value as string;
  }

  async ask(): Promise<string> {
    this.child.stdin!.write('\n');
    return this.nextLine();
  }

  async close(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.stdin!.end();
    await ended;
  }
}
