import { Worker } from 'node:worker_threads';
import { ourFault } from '../run-check.js';
import {
  type FinishedProbe,
  fromReport,
  type Orders,
  type Report,
  type ThreadPlan,
  type ThreadSettings,
} from './messages.js';
import { monotonicMs } from './monotonic.js';

const ENTRY = new URL('./probe-thread.entry.js', import.meta.url);
/** A definition that no check has needed for this long is sent again with the next one. */
const FORGET_AFTER_MS = 600_000;

/** A check to run. */
export interface ThreadJob {
  monitorId: string;
  revision: number;
  type: string;
  timeoutMs: number;
}

export interface ThreadOptions<J extends ThreadJob> {
  settings: ThreadSettings;
  /** A definition with its secrets open. Where it throws, its checks are our fault. */
  open: (job: J) => object;
  onFinished: (finished: FinishedProbe<J>[]) => void;
  /** A definition could not be opened, or the thread has died. */
  onFault: (error: Error) => void;
  /** The slot clock, in epoch milliseconds. */
  slotNow: () => number;
}

interface KnownPlan {
  plan: number;
  revision: number;
  usedAt: number;
}

/**
 * A thread that runs checks, so that probing and the API do not hold each other up. Each check that is given to it comes
 * back once: a thread that dies is replaced, and what it had under way is a fault of ours.
 */
export class ProbeThread<J extends ThreadJob> {
  private worker: Worker | null = null;
  private readonly jobs = new Map<number, J>();
  private readonly plans = new Map<string, KnownPlan>();
  private lastNumber = 0;
  private sweptAt = monotonicMs();
  private stopped = false;
  /** As the thread told it last. */
  private told = { running: 0, waiting: 0 };

  constructor(private readonly options: ThreadOptions<J>) {}

  get figures(): { running: number; waiting: number } {
    return this.told;
  }

  /** Checks that have not come back. */
  get open(): number {
    return this.jobs.size;
  }

  run(jobs: readonly J[]): void {
    const clock = { nowMs: this.options.slotNow(), monotonicMs: monotonicMs() };
    const orders: Omit<Orders, 'jobs'> = { plans: [], forget: [], clock };
    const numbers: number[] = [];
    const refused: number[] = [];
    for (const job of jobs) {
      const number = this.nextNumber();
      this.jobs.set(number, job);
      const plan = this.planOf(job, orders, clock.monotonicMs);
      if (plan === null) refused.push(number);
      else numbers.push(number, plan);
    }
    if (clock.monotonicMs - this.sweptAt > FORGET_AFTER_MS) this.forget(orders.forget, clock.monotonicMs);
    this.thread().postMessage({ ...orders, jobs: Float64Array.from(numbers) } satisfies Orders);
    this.blameOurselves(refused);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.worker?.terminate();
  }

  private nextNumber(): number {
    this.lastNumber += 1;
    return this.lastNumber;
  }

  private planOf(job: J, orders: Pick<Orders, 'plans' | 'forget'>, now: number): number | null {
    const { monitorId, revision, type, timeoutMs } = job;
    const known = this.plans.get(monitorId);
    if (known?.revision === revision) {
      known.usedAt = now;
      return known.plan;
    }
    let plan: ThreadPlan;
    try {
      plan = { plan: this.nextNumber(), type, timeoutMs, fields: JSON.stringify(this.options.open(job)) };
    } catch (error) {
      this.options.onFault(error as Error);
      return null;
    }
    if (known) orders.forget.push(known.plan);
    orders.plans.push(plan);
    this.plans.set(monitorId, { plan: plan.plan, revision, usedAt: now });
    return plan.plan;
  }

  private forget(into: number[], now: number): void {
    this.sweptAt = now;
    for (const [monitorId, { plan, usedAt }] of this.plans) {
      if (now - usedAt <= FORGET_AFTER_MS) continue;
      into.push(plan);
      this.plans.delete(monitorId);
    }
  }

  private thread(): Worker {
    if (this.worker) return this.worker;
    const worker = new Worker(ENTRY, { workerData: this.options.settings, name: 'probes' });
    this.worker = worker;
    worker.unref();
    worker.on('message', (report: Report) => this.take(report));
    worker.on('error', (error) => this.options.onFault(error));
    worker.once('exit', () => {
      this.worker = null;
      this.plans.clear();
      if (!this.stopped) this.blameOurselves([...this.jobs.keys()]);
    });
    return worker;
  }

  private take(report: Report): void {
    this.told = { running: report.running, waiting: report.waiting };
    const finished = fromReport(report, (number) => {
      const job = this.jobs.get(number);
      this.jobs.delete(number);
      return job;
    });
    this.options.onFinished(finished);
  }

  private blameOurselves(numbers: readonly number[]): void {
    if (numbers.length === 0) return;
    const checkedAt = this.options.slotNow();
    const outcome = ourFault('The check could not be run; this says nothing about the target.');
    const startedAt = monotonicMs();
    const finished = numbers.map((number) => ({
      ...{ job: this.jobs.get(number)!, checkedAt, startedAt, durationMs: 0, outcome },
    }));
    for (const number of numbers) this.jobs.delete(number);
    this.options.onFinished(finished);
  }
}
