import { Worker, type ResourceLimits } from 'node:worker_threads';
import { type CheckTrigger } from '../../domain/check-result.js';
import { ourFault } from '../run-check.js';
import { BackOff } from './back-off.js';
import { makeDelayMemory } from './loop-delay.js';
import {
  type FinishedProbe,
  fromReport,
  type Orders,
  type Report,
  type ThreadPlan,
  type ThreadSettings,
  type ThreadStart,
} from './messages.js';
import { monotonicMs } from './monotonic.js';
import { checkAtWork, makePulse, PulseWatch } from './pulse.js';

const ENTRY = new URL('./probe-thread.entry.js', import.meta.url);
/** A definition that no check has needed for this long is sent again with the next one. */
const FORGET_AFTER_MS = 600_000;
/** A thread that needs more ends, and is replaced: better than the whole process. */
const LIMITS: ResourceLimits = { maxOldGenerationSizeMb: 1_024 };
/** How often a check may be under way when its thread ends before the check itself is taken for the cause. */
const MAX_RERUNS = 3;
const COULD_NOT_RUN = 'The check could not be run; this says nothing about the target.';
const HELD_BACK = 'The last check of this definition stopped the checking process, so it is held back for a while.';

/** A check to run. */
export interface ThreadJob {
  plan: CheckedPlan;
  trigger?: CheckTrigger;
}

/** Which definition a check is made by, and how long it may take. */
export interface CheckedPlan {
  monitorId: string;
  teamId: string;
  revision: number;
  type: string;
  timeoutMs: number;
}

export interface ThreadOptions<J extends ThreadJob> {
  settings: ThreadSettings;
  /** A definition with its secrets open. Where it throws, its checks are our fault. */
  open: (job: J) => object;
  onFinished: (finished: FinishedProbe<J>[]) => void;
  /** A definition could not be opened, or the thread has died or was replaced. */
  onFault: (error: Error) => void;
  /** The slot clock, in epoch milliseconds. */
  slotNow: () => number;
  /** The thread's program; left out: the one that runs checks. */
  entry?: URL;
}

/** A check that has not come back. */
interface Open<J> {
  job: J;
  /** How often it was begun again with another thread. */
  reruns: number;
}

interface KnownPlan {
  plan: number;
  revision: number;
  usedAt: number;
}

/** Readings of two clocks this close together count as taken at one moment. */
const SAME_MOMENT_MS = 0.5;
const MAX_READINGS = 5;

/**
 * The slot clock beside the monotonic one. Where the operating system suspends the process between the two readings,
 * they are repeated; whatever is left of the difference makes a check look later, never earlier than its slot.
 */
function readTogether(slotNow: () => number): Orders['clock'] {
  let closest = { nowMs: 0, monotonicMs: 0 };
  let closestMs = Infinity;
  for (let reading = 0; reading < MAX_READINGS && closestMs > SAME_MOMENT_MS; reading += 1) {
    const before = monotonicMs();
    const nowMs = slotNow();
    const apartMs = monotonicMs() - before;
    if (apartMs < closestMs) [closest, closestMs] = [{ nowMs, monotonicMs: before }, apartMs];
  }
  return closest;
}

/**
 * A thread that runs checks, so that probing and the API do not hold each other up. Each check that is given to it comes
 * back once. A thread that dies, or turns to nothing for 2 s, is replaced, and what it had under way is run again: but
 * for the check on whose account it stood still, which is a fault of ours, and whose definition is held back for a while.
 */
export class ProbeThread<J extends ThreadJob> {
  /** How late its event loop is, those of its predecessors included. */
  readonly delays = makeDelayMemory();
  private worker: Worker | null = null;
  private readonly checks = new Map<number, Open<J>>();
  private readonly plans = new Map<string, KnownPlan>();
  private readonly backOff = new BackOff();
  private lastNumber = 0;
  private sweptAt = monotonicMs();
  private stopped = false;
  /** As the thread told it last. */
  private told = { running: 0, waiting: 0 };
  /** Threads that ended and were replaced. */
  private replaced = 0;

  constructor(private readonly options: ThreadOptions<J>) {}

  get figures(): { running: number; waiting: number; replaced: number } {
    return { ...this.told, replaced: this.replaced };
  }

  /** Checks that have not come back. */
  get open(): number {
    return this.checks.size;
  }

  run(jobs: readonly J[]): void {
    this.give(jobs.map((job) => ({ job, reruns: 0 })));
  }

  /** What is under way is left, and does not come back. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.worker?.terminate();
  }

  private give(checks: readonly Open<J>[]): void {
    if (this.stopped) return;
    const clock = readTogether(this.options.slotNow);
    const now = clock.monotonicMs;
    const plans: Pick<Orders, 'plans' | 'forget'> = { plans: [], forget: [] };
    const [scheduled, asked, unreadable, heldBack] = [[], [], [], []] as [number[], number[], number[], number[]];
    for (const check of checks) {
      const { job } = check;
      const number = this.nextNumber();
      this.checks.set(number, check);
      if (this.backOff.holds(job.plan, now)) {
        heldBack.push(number);
        continue;
      }
      const plan = this.planOf(job, plans, now);
      if (plan === null) unreadable.push(number);
      else (isAsked(job) ? asked : scheduled).push(number, plan);
    }
    if (now - this.sweptAt > FORGET_AFTER_MS) this.forget(plans.forget, now);
    const orders: Orders = { ...plans, jobs: Float64Array.from(scheduled), asked: Float64Array.from(asked), clock };
    this.thread().postMessage(orders);
    this.giveUp(unreadable, COULD_NOT_RUN);
    this.giveUp(heldBack, HELD_BACK);
  }

  private nextNumber(): number {
    this.lastNumber += 1;
    return this.lastNumber;
  }

  private planOf(job: J, orders: Pick<Orders, 'plans' | 'forget'>, now: number): number | null {
    const { monitorId, revision, type, timeoutMs, teamId: team } = job.plan;
    const known = this.plans.get(monitorId);
    if (known?.revision === revision) {
      known.usedAt = now;
      return known.plan;
    }
    let plan: ThreadPlan;
    try {
      plan = { plan: this.nextNumber(), type, timeoutMs, team, fields: JSON.stringify(this.options.open(job)) };
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
    const { settings, onFault, entry = ENTRY } = this.options;
    const pulse = makePulse();
    const workerData: ThreadStart = { settings, pulse, delays: this.delays };
    const worker = new Worker(entry, { workerData, name: 'probes', resourceLimits: LIMITS });
    const watch = new PulseWatch(pulse, () => {
      onFault(new Error('a probe thread did not turn for 2 s: it is replaced'));
      void worker.terminate();
    });
    this.worker = worker;
    worker.unref();
    worker.on('message', (report: Report) => this.take(report));
    worker.on('error', onFault);
    worker.once('exit', () => {
      watch.stop();
      this.worker = null;
      this.plans.clear();
      if (!this.stopped) this.replace(checkAtWork(pulse));
    });
    return worker;
  }

  /** The thread has ended: begins again with what it had under way, but for the check that it was at. */
  private replace(atWork: number): void {
    this.replaced += 1;
    const numbers = [...this.checks.keys()];
    const guilty = numbers.find((number) => (number | 0) === atWork);
    if (guilty !== undefined) {
      const { plan } = this.checks.get(guilty)!.job;
      this.backOff.note(plan, monotonicMs());
      this.options.onFault(new Error(`a probe thread ended in a check of monitor ${plan.monitorId}`));
    }
    const again: Open<J>[] = [];
    const givenUp: number[] = [];
    for (const number of numbers) {
      const one = this.checks.get(number)!;
      if (number === guilty || one.reruns === MAX_RERUNS) givenUp.push(number);
      else {
        this.checks.delete(number);
        one.reruns += 1;
        again.push(one);
      }
    }
    this.giveUp(givenUp, COULD_NOT_RUN);
    if (again.length > 0) this.give(again);
  }

  private take(report: Report): void {
    this.told = { running: report.running, waiting: report.waiting };
    const finished = fromReport(report, (number) => {
      const job = this.checks.get(number)?.job;
      this.checks.delete(number);
      return job;
    });
    this.options.onFinished(finished);
  }

  private giveUp(numbers: readonly number[], why: string): void {
    if (numbers.length === 0) return;
    const [checkedAt, startedAt, outcome] = [this.options.slotNow(), monotonicMs(), ourFault(why)];
    const finished = numbers.map((number) => {
      return { job: this.checks.get(number)!.job, checkedAt, startedAt, durationMs: 0, outcome };
    });
    for (const number of numbers) this.checks.delete(number);
    this.options.onFinished(finished);
  }
}

/** Whether it came out of turn, such as by "check now" or with a new monitor: many of them may come at once. */
function isAsked({ trigger = 'schedule' }: ThreadJob): boolean {
  return trigger !== 'schedule' && trigger !== 'retry';
}
