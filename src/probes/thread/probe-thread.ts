import { type EventLoopUtilization } from 'node:perf_hooks';
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
/** A definition that no check has used for this long is removed from the thread, and sent again with the next check. */
const FORGET_AFTER_MS = 600_000;
/** A thread that exceeds this terminates and is replaced, so that it does not bring down the process. */
const LIMITS: ResourceLimits = { maxOldGenerationSizeMb: 1_024 };
/** Maximum number of times that a check is run again after its thread ended; then it counts as a possible cause. */
const MAX_RERUNS = 3;
const COULD_NOT_RUN = 'The service could not run the check, so the state of the target is unknown.';
const HELD_BACK =
  'The last check of this monitor may have crashed the checker, so checks of this monitor are suspended for a while.';

/** A check to run. */
export interface ThreadJob {
  plan: CheckedPlan;
  trigger?: CheckTrigger;
}

/** The definition of a check, and the check's time limit. */
export interface CheckedPlan {
  monitorId: string;
  teamId: string;
  revision: number;
  type: string;
  timeoutMs: number;
}

export interface ThreadOptions<J extends ThreadJob> {
  settings: ThreadSettings;
  /**
   * Returns a definition with decrypted secrets. If it throws, the definition's checks end as a fault of the service.
   */
  open: (job: J) => object;
  onFinished: (finished: FinishedProbe<J>[]) => void;
  /** Called when a definition could not be opened, or the thread terminated or was replaced. */
  onFault: (error: Error) => void;
  /** Returns the slot clock's reading in epoch milliseconds. */
  slotNow: () => number;
  /** The thread's program; by default the one that runs checks. */
  entry?: URL;
}

/** A check that has not finished. */
interface Open<J> {
  job: J;
  /** How often it was run again in a new thread. */
  reruns: number;
}

interface KnownPlan {
  plan: number;
  revision: number;
  usedAt: number;
}

/** Readings of two clocks within this time count as simultaneous. */
const SAME_MOMENT_MS = 0.5;
const MAX_READINGS = 5;

/**
 * Reads the slot clock and the monotonic clock together. If the operating system suspends the process between the two
 * readings, they are repeated. Any remaining difference makes a check appear later, never earlier than its slot.
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
 * A thread that runs checks, so that probing and the API do not delay each other. Each check finishes exactly once,
 * unless the thread is stopped. A thread that terminates, or whose event loop is blocked for 2 s, is replaced, and its
 * checks are run again. The exception is the check that blocked it: it ends as a fault of the service, and its
 * definition is held back for a while.
 */
export class ProbeThread<J extends ThreadJob> {
  /** The delays of its event loop, including those of replaced threads. */
  readonly delays = makeDelayMemory();
  private worker: Worker | null = null;
  private readonly checks = new Map<number, Open<J>>();
  private readonly plans = new Map<string, KnownPlan>();
  private readonly backOff = new BackOff();
  private lastNumber = 0;
  private sweptAt = monotonicMs();
  private stopped = false;
  /** The figures that the thread reported last. */
  private reported = { running: 0, waiting: 0 };
  private utilized: EventLoopUtilization | undefined;
  /** Number of threads that ended and were replaced. */
  private replaced = 0;

  constructor(private readonly options: ThreadOptions<J>) {}

  get figures(): { running: number; waiting: number; replaced: number } {
    return { ...this.reported, replaced: this.replaced };
  }

  /** Number of checks that have not finished. */
  get open(): number {
    return this.checks.size;
  }

  /** Returns the share of the time since the last call in which the thread worked, from 0 to 1. */
  takeUtilization(): number {
    const now = this.worker?.performance.eventLoopUtilization();
    const before = this.utilized;
    this.utilized = now;
    if (!now || !before || now.active < before.active) return 0;
    const [active, idle] = [now.active - before.active, now.idle - before.idle];
    return active + idle > 0 ? active / (active + idle) : 0;
  }

  run(jobs: readonly J[]): void {
    this.give(jobs.map((job) => ({ job, reruns: 0 })));
  }

  /** Terminates the thread. Checks in progress are abandoned and never reported. */
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
      onFault(new Error('a probe thread did not respond for 2 s and is being replaced'));
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

  /** Runs the open checks again after the thread ended, except for the check that it was evaluating. */
  private replace(atWork: number): void {
    this.replaced += 1;
    const numbers = [...this.checks.keys()];
    const guilty = numbers.find((number) => (number | 0) === atWork);
    if (guilty !== undefined) {
      const { plan } = this.checks.get(guilty)!.job;
      this.backOff.note(plan, monotonicMs());
      this.options.onFault(new Error(`a probe thread ended during a check of monitor ${plan.monitorId}`));
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
    this.reported = { running: report.running, waiting: report.waiting };
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

/** Returns whether a check is unscheduled, such as by "check now" or for a new monitor: many may arrive at once. */
function isAsked({ trigger = 'schedule' }: ThreadJob): boolean {
  return trigger !== 'schedule' && trigger !== 'retry';
}
