import { type X509Certificate } from 'node:crypto';
import { type BucketTally } from '../../domain/bucket-tally.js';
import { type DomainFacts, type ProbeOutcome } from '../../domain/check-result.js';
import { probeOf } from '../index.js';
import { type Egress } from '../net/egress.js';
import { type ProbeDefinition } from '../probe.js';
import { ourFault, runProbe } from '../run-check.js';
import { CertificateMemory } from './certificate-memory.js';
import { EvaluationShares } from './evaluation-shares.js';
import { LoopLag } from './loop-lag.js';
import { type FinishedProbe, type Orders, type Report, toReport } from './messages.js';
import { monotonicMs } from './monotonic.js';
import { type Pulse } from './pulse.js';
import { TeamLines } from './team-lines.js';

/** Maximum number of checks to start before handling arrived data, so that starts do not delay what checks measure. */
const STARTS_PER_TURN = 16;
/** Maximum number of checks in progress, each of which holds a socket. */
const MAX_RUNNING = 10_000;
/**
 * Maximum number of checks that have just begun. Slow checks do not count, so that slow targets do not delay others.
 */
const MAX_FRESH = 1_000;
const FRESH_MS = 1_000;
/** Results wait this long to be reported together. */
const REPORT_MS = 20;
const REPORT_AT = 256;
interface Plan {
  definition: ProbeDefinition | undefined;
  /**
   * As JSON, which is parsed for each check: that takes a hundredth of its time, and the object several times the
   * memory.
   */
  fields: string;
  timeoutMs: number;
  team: string;
  certificates: CertificateMemory;
}

/** What a check has read of its target so far. */
interface Seen {
  certificate?: X509Certificate;
  registration?: DomainFacts;
}

interface Job {
  number: number;
  plan: Plan;
  /** Whether it is off schedule, such as the first check after a pause. */
  isAsked: boolean;
}

/**
 * Runs checks and reports them in batches. If checks have to wait, teams take turns, and so do scheduled checks and
 * those that a user waits for, so that a large number of one kind does not hold up the others.
 */
export class ProbeEngine {
  private readonly plans = new Map<number, Plan>();
  private readonly scheduled = new TeamLines<Job>();
  private readonly asked = new TeamLines<Job>();
  private turnOfAsked = false;
  private running = 0;
  /** Start times of the checks that count as just begun, oldest first. */
  private readonly fresh = new Map<number, number>();
  private readonly lag = new LoopLag((delayMs) => this.beat(delayMs));
  private readonly shares = new EvaluationShares();
  private finished: FinishedProbe[] = [];
  private reporting: NodeJS.Timeout | null = null;
  private turning = false;
  /** The slot clock minus the monotonic clock. */
  private slotOffsetMs = 0;

  constructor(
    private readonly egress: Egress,
    private readonly pulse: Pulse,
    private readonly delays: BucketTally,
    private readonly report: (report: Report) => void,
  ) {}

  take({ plans, forget, jobs, asked, clock }: Orders): void {
    this.slotOffsetMs = clock.nowMs - clock.monotonicMs;
    for (const { plan, type, fields, timeoutMs, team } of plans) {
      const certificates = new CertificateMemory();
      this.plans.set(plan, { definition: probeOf(type), fields, timeoutMs, team, certificates });
    }
    this.lineUp(this.scheduled, jobs, false);
    this.lineUp(this.asked, asked, true);
    for (const plan of forget) this.plans.delete(plan);
    this.startSome();
  }

  private get waiting(): number {
    return this.scheduled.length + this.asked.length;
  }

  private lineUp(lines: TeamLines<Job>, jobs: Float64Array, isAsked: boolean): void {
    for (let at = 0; at < jobs.length; at += 2) {
      const plan = this.plans.get(jobs[at + 1]!)!;
      lines.push(plan.team, { number: jobs[at]!, plan, isAsked });
    }
  }

  private nextJob(): Job | undefined {
    this.turnOfAsked = !this.turnOfAsked;
    if (this.turnOfAsked) return this.asked.shift() ?? this.scheduled.shift();
    return this.scheduled.shift() ?? this.asked.shift();
  }

  private startSome(): void {
    for (let started = 0; this.mayStart() && started < STARTS_PER_TURN; started += 1) {
      const job = this.nextJob();
      if (!job) return;
      void this.run(job);
    }
    if (this.waiting > 0 && !this.turning && this.mayStart()) {
      this.turning = true;
      setImmediate(() => {
        this.turning = false;
        this.startSome();
      });
    }
  }

  private mayStart(): boolean {
    return this.running < MAX_RUNNING && this.fresh.size < MAX_FRESH;
  }

  private async run({ number, plan, isAsked }: Job): Promise<void> {
    const startedAt = monotonicMs();
    const checkedAt = Math.floor(startedAt + this.slotOffsetMs);
    this.running += 1;
    this.fresh.set(number, startedAt);
    if (this.running === 1) this.lag.work();
    const seen: Seen = {};
    const outcome = await this.probe(number, plan, seen);
    this.running -= 1;
    this.fresh.delete(number);
    if (this.running === 0) this.lag.rest();
    const durationMs = monotonicMs() - startedAt;
    const certificate = seen.certificate && plan.certificates.toReport(seen.certificate, startedAt, isAsked);
    const { registration } = seen;
    this.finish({ job: number, checkedAt, startedAt, durationMs, outcome, certificate, registration });
    if (this.waiting > 0 && !this.turning) this.startSome();
  }

  private async probe(
    number: number,
    { definition, fields, timeoutMs, team }: Plan,
    seen: Seen,
  ): Promise<ProbeOutcome> {
    if (!definition) return ourFault('This version of the service does not support this monitor type.');
    return runProbe(definition, JSON.parse(fields) as object, {
      timeoutMs,
      egress: this.egress,
      lagMs: () => this.lag.ms,
      onCertificate: (certificate) => (seen.certificate = certificate),
      onRegistration: (registration) => (seen.registration = registration),
      evaluate: (work) => this.pulse.during(number, () => this.shares.run(team, work)),
    });
  }

  private finish(finished: FinishedProbe): void {
    this.finished.push(finished);
    if (this.finished.length >= REPORT_AT) this.send();
    else this.reporting ??= setTimeout(() => this.send(), REPORT_MS);
  }

  private send(): void {
    if (this.reporting) clearTimeout(this.reporting);
    this.reporting = null;
    this.report(toReport(this.finished.splice(0), this.running, this.waiting));
  }

  /** Stops counting slow checks as just begun. */
  private beat(delayMs: number): void {
    this.pulse.beat();
    this.delays.observe(delayMs / 1_000);
    const before = monotonicMs() - FRESH_MS;
    for (const [number, startedAt] of this.fresh) {
      if (startedAt > before) break;
      this.fresh.delete(number);
    }
    if (this.waiting > 0 && !this.turning) this.startSome();
  }
}
