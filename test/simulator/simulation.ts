import { SECOND_MS } from '../../src/domain/durations.js';
import { type Span } from '../../src/domain/span.js';
import { nextSlotAfter, phaseMs, retryIntervalMs } from '../../src/domain/schedule.js';
import { startClock } from '../../src/domain/slot-clock.js';
import { type CheckJob, type CheckResult } from '../../src/modules/checker/check-queue.js';
import { jobOf, type ScheduleBook } from '../../src/modules/checker/schedule-book.js';
import { Dice } from '../fuzz/dice.js';
import { type Detector } from './detector.js';
import { EventQueue } from './event-queue.js';
import { Evidence } from './evidence.js';
import { type Interval } from './intervals.js';
import { LocationRecord } from './recorder.js';
import { type MonitorScript } from './script.types.js';
import { type Answer, HELD_UP, NETWORK_GONE, Target } from './target.js';

/** A process of the service that can dispatch checks. */
export interface Process {
  book: ScheduleBook;
  dispatching: boolean;
  /** Whether its results reach the recorder. */
  delivering: boolean;
  epoch: number;
  /** Increases with each restart of the schedule, which cancels everything planned before. */
  turn: number;
}

/** The simulation of one location. */
interface Place {
  name: string;
  target: Target;
  record: LocationRecord;
  evidence: Evidence;
  /** Results since the last one that was not up. */
  calm: number;
  /** For how many reasons it has no network now, and when it last had it again. */
  cuts: number;
  networkBackAt: number;
}

/** Hears of what is recorded, and of pauses. */
interface Follower {
  recorded: (results: readonly CheckResult[]) => void;
  note: (type: 'monitor.paused' | 'monitor.resumed') => void;
}

/** After this many consecutive up results, nothing is being confirmed, whatever the thresholds. */
const CALM = 12;
const TICK_MS = 50;
const FLUSH_MS = 20;
/** The share of results that are delivered twice, because delivery is at least once. */
const TWICE = 0.001;

/** Runs one monitor's checks by its script and the real schedule. `enact` changes the state of the service's side. */
export class Simulation {
  /** True time in milliseconds. */
  nowMs: number;
  readonly events = new EventQueue();
  readonly dice: Dice;
  plan: MonitorScript['plan'];
  readonly places = new Map<string, Place>();
  readonly pauses: Span[] = [];
  readonly absences: Span[] = [];
  /** Times that the slot clock skipped, because the wall clock was set forward. */
  readonly skipped: Interval[] = [];
  process: Process;
  lagMs = 0;
  /** When the suspended process continues. */
  suspendedUntil = 0;
  /** Results that wait for the database; `null` while it is available. */
  waiting: CheckResult[] | null = null;
  /** Keys of checks that two processes may both run; `null` while there is only one process. */
  twins: Set<string> | null = null;
  /** Incidents and their alerts. */
  alerts: Follower | null = null;
  /** The recorded results, if requested. */
  accepted: CheckResult[] | null = null;
  checks = 0;
  private clock = startClock(null, 0, 0);
  private nextStep = 0;
  private offsetMs = 0;

  constructor(
    readonly script: MonitorScript,
    readonly detector: Detector,
  ) {
    this.plan = script.plan;
    this.nowMs = script.beginsAt;
    this.dice = new Dice(script.seed, -1 - script.index);
    this.clock = startClock(null, this.wallNow(), this.nowMs);
    this.process = this.newProcess();
    const { monitorId, failureThreshold, recoveryThreshold } = this.plan;
    const policy = detector.policy({ monitorId, failureThreshold, recoveryThreshold, excused: this.absences });
    this.plan.locations.forEach((name, i) => {
      const target = new Target(script.targets[i]!, this.plan, this.dice);
      const record = new LocationRecord(detector, policy, this.pauses);
      this.places.set(name, {
        name,
        target,
        record,
        evidence: new Evidence(),
        calm: 0,
        cuts: 0,
        networkBackAt: -Infinity,
      });
    });
  }

  runToEnd(): void {
    for (let next = this.events.take(this.script.endsAt); next; next = this.events.take(this.script.endsAt)) {
      this.nowMs = next.at;
      next.run();
    }
    this.nowMs = this.script.endsAt;
  }

  /** Reads the slot clock. */
  slotNow(): number {
    const before = this.clock;
    this.clock = this.detector.advanceClock(before, this.wallNow(), this.nowMs);
    const expected = before.nowMs + this.nowMs - before.monotonicMs;
    if (this.clock.nowMs - expected > SECOND_MS) this.skipped.push({ from: expected, to: this.clock.nowMs });
    return this.clock.nowMs;
  }

  /** Returns how many milliseconds the slot clock is ahead of the wall clock. */
  clockAheadMs(): number {
    return this.slotNow() - this.wallNow();
  }

  /** Restarts the slot clock like a new process that reads up to when the schedule was served. */
  restartClock(servedUntil: number): void {
    this.clock = startClock(Math.max(servedUntil, this.slotNow()), this.wallNow(), this.nowMs);
  }

  newProcess(): Process {
    const epoch = (this.process?.epoch ?? 0) + 1;
    return { book: this.detector.newBook(), dispatching: true, delivering: true, epoch, turn: 0 };
  }

  /** Takes the network away from these locations. */
  cut(places: Iterable<Place>): void {
    for (const place of places) place.cuts += 1;
  }

  /** Gives it back, unless it is also gone for another reason. */
  mend(places: Iterable<Place>): void {
    for (const place of places) {
      place.cuts -= 1;
      if (place.cuts === 0) place.networkBackAt = this.nowMs;
    }
  }

  /** Runs something at a moment of the slot clock. */
  atSlot(slotMs: number, run: () => void): void {
    const dueMs = this.nowMs + Math.ceil(Math.max(0, slotMs - this.slotNow()));
    // The service looks every second. A clock that is set forward makes it due at once.
    const step = this.script.clockSteps.find(({ at }) => at > this.nowMs);
    this.events.add(Math.min(dueMs, step?.at ?? Infinity), () => {
      if (this.slotNow() < slotMs) this.atSlot(slotMs, run);
      else run();
    });
  }

  /** Runs a check at each slot from now on, until the schedule restarts. */
  followSlots(process: Process): void {
    const turn = (process.turn += 1);
    const { intervalMs, monitorId } = this.plan;
    const phase = phaseMs(monitorId, intervalMs);
    const visit = (): void => {
      if (process.turn !== turn) return;
      this.send(process);
      this.wakeAt(nextSlotAfter(phase, intervalMs, this.slotNow()), visit);
    };
    this.wakeAt(nextSlotAfter(phase, intervalMs, this.slotNow()), visit);
  }

  /** Runs an unscheduled check from each location now. */
  checkNow(trigger: CheckJob['trigger']): void {
    const key = { slot: Math.floor(this.slotNow()), attempt: -1 };
    for (const location of this.plan.locations) {
      this.start(this.process, jobOf(this.plan, location, key, trigger, this.process.epoch));
    }
  }

  /** Passes results to the recorder as one batch. */
  record(batch: readonly CheckResult[]): void {
    for (const place of this.places.values()) {
      const own = batch.length === 1 ? batch : batch.filter((result) => result.location === place.name);
      if (own[0]?.location !== place.name) continue;
      const fresh = place.record.apply(own);
      this.accepted?.push(...fresh);
      this.alerts?.recorded(fresh);
    }
  }

  private send(process: Process): void {
    if (!process.dispatching) return;
    for (const job of process.book.takeDue(this.slotNow(), () => process.epoch)) {
      const lagMs = this.lagMs === 0 ? 0 : this.dice.below(this.lagMs);
      if (lagMs === 0) this.start(process, job);
      else this.events.add(this.nowMs + lagMs, () => this.start(process, job));
    }
  }

  private start(process: Process, job: CheckJob): void {
    const place = this.places.get(job.location)!;
    const startedAt = this.nowMs;
    const checkedAt = Math.floor(this.slotNow());
    const answer = place.target.answer(startedAt);
    this.checks += 1;
    const over = this.nowMs + answer.durationMs + this.dice.below(FLUSH_MS);
    this.events.add(over, () => this.finish(process, job, { startedAt, checkedAt }, answer));
  }

  private finish(
    process: Process,
    job: CheckJob,
    began: { startedAt: number; checkedAt: number },
    answer: Answer,
  ): void {
    if (!process.delivering) return;
    if (this.nowMs < this.suspendedUntil) {
      const heldUp: Answer = { status: 'unknown', outcome: HELD_UP, durationMs: 0 };
      this.events.add(this.suspendedUntil, () => this.finish(process, job, began, heldUp));
      return;
    }
    const { cuts, networkBackAt } = this.places.get(job.location)!;
    const blind = cuts > 0 || networkBackAt >= began.startedAt;
    const { monitorId, scheduledAt, location, attempt, trigger, epoch, plan } = job;
    const { revision, intervalMs } = plan;
    const result: CheckResult = {
      monitorId,
      scheduledAt,
      location,
      attempt,
      trigger,
      revision,
      intervalMs,
      epoch,
      checkedAt: began.checkedAt,
      status: blind ? 'unknown' : answer.status,
      outcome: blind ? NETWORK_GONE : answer.outcome,
    };
    this.note(result);
    this.deliver(result);
    this.goOn(process, result);
  }

  /** Reports the result to the schedule and sends the checks that follow from it. */
  private goOn(process: Process, result: CheckResult): void {
    process.book.settle(result, this.slotNow());
    // Sends the checks that became due meanwhile.
    this.send(process);
    const place = this.places.get(result.location)!;
    place.calm = result.status === 'up' ? place.calm + 1 : 0;
    if (place.calm >= CALM || !process.dispatching) return;
    this.wakeAt(Math.max(this.slotNow(), result.checkedAt + retryIntervalMs(this.plan)), () => this.send(process));
  }

  private deliver(result: CheckResult): void {
    if (this.waiting) this.waiting.push(result);
    else this.record(this.dice.chance(TWICE) ? [result, result] : [result]);
  }

  /** Records the true outcome of a check, unless its twin has been recorded or it does not affect the state. */
  private note(result: CheckResult): void {
    const { checkedAt, status } = result;
    if (this.twins) {
      const key = `${result.location}/${result.scheduledAt}/${result.attempt}`;
      if (this.twins.has(key)) return;
      this.twins.add(key);
    }
    const { from, to } = this.pauses.at(-1) ?? { from: Infinity, to: null };
    if (status === 'unknown' || (checkedAt >= from && checkedAt < (to ?? Infinity))) return;
    this.places.get(result.location)!.evidence.add(checkedAt, status === 'down', this.slotNow());
  }

  private wakeAt(slotMs: number, run: () => void): void {
    const waitMs = Math.max(0, slotMs - this.slotNow());
    this.events.add(this.nowMs + Math.ceil(waitMs) + this.dice.below(TICK_MS), () => {
      if (this.slotNow() < slotMs) this.wakeAt(slotMs, run);
      else run();
    });
  }

  private wallNow(): number {
    const { clockSteps } = this.script;
    while (this.nextStep < clockSteps.length && clockSteps[this.nextStep]!.at <= this.nowMs) {
      this.offsetMs = clockSteps[this.nextStep++]!.offsetMs;
    }
    return this.nowMs + this.offsetMs;
  }
}
