import { setTimeout as delay } from 'node:timers/promises';
import { type ServiceProcess } from '../../support/service.js';

const START_AGAIN_MS = 500;
const LOG_END = 600;

/** A start that failed; epoch milliseconds. */
export interface FailedStart {
  from: number;
  to: number;
  text: string;
}

/** Keeps a process of the service running, as an operator's supervisor does, and interrupts it on demand. */
export class Keeper {
  private process: ServiceProcess | null = null;
  private readonly killed = new WeakSet<ServiceProcess>();
  private isOver = false;
  private keeping: Promise<void> | null = null;
  /** Endings that the keeper did not cause. */
  readonly crashes: string[] = [];
  readonly failedStarts: FailedStart[] = [];
  starts = 0;

  constructor(
    readonly name: string,
    private readonly launch: () => Promise<ServiceProcess>,
  ) {}

  /** The process; null while it is being started. */
  get running(): ServiceProcess | null {
    return this.process;
  }

  /** Starts the process for the first time. From then on, it is started again whenever it ends. */
  async open(): Promise<void> {
    const first = await this.launch();
    this.keeping = this.keep(first);
  }

  /** Kills the process. Returns false if none is running. */
  async kill(): Promise<boolean> {
    const { process: victim } = this;
    if (!victim) return false;
    this.killed.add(victim);
    await victim.end('SIGKILL');
    return true;
  }

  /** Suspends the process for a time. Returns false if none is running. */
  async suspend(forMs: number): Promise<boolean> {
    const { process: victim } = this;
    if (!victim) return false;
    victim.signal('SIGSTOP');
    await delay(forMs);
    victim.signal('SIGCONT');
    return true;
  }

  /** Asks the process to stop, which then is started again. Returns its exit code; null if none is running. */
  async stop(): Promise<number | null> {
    const { process: stopped } = this;
    if (!stopped) return null;
    this.killed.add(stopped);
    return stopped.end('SIGTERM');
  }

  /** Asks the process to stop, and no longer starts it again. Returns its exit code; null if none is running. */
  async finish(): Promise<number | null> {
    this.isOver = true;
    return (await this.process?.end('SIGTERM')) ?? null;
  }

  async close(): Promise<void> {
    this.abandon();
    await this.keeping;
  }

  /** Kills the process without waiting for its end. */
  abandon(): void {
    this.isOver = true;
    if (this.process) void this.process.end('SIGKILL');
  }

  private async keep(first: ServiceProcess): Promise<void> {
    await this.watch(first);
    while (!this.isOver) {
      const next = await this.start();
      if (next) await this.watch(next);
    }
  }

  /** Resolves when a process has ended. */
  private async watch(process: ServiceProcess): Promise<void> {
    this.process = process;
    this.starts += 1;
    if (this.isOver) this.abandon();
    const code = await process.ended();
    this.process = null;
    if (!this.isOver && !this.killed.has(process))
      this.crashes.push(`${this.name} ended with exit code ${code}: ${process.log.slice(-LOG_END)}`);
  }

  private async start(): Promise<ServiceProcess | null> {
    const from = Date.now();
    try {
      return await this.launch();
    } catch (error) {
      this.failedStarts.push({ from, to: Date.now(), text: `${this.name}: ${(error as Error).message}` });
      await delay(START_AGAIN_MS);
      return null;
    }
  }
}
