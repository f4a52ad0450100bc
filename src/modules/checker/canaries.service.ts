import { Injectable, Logger } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { AppConfig } from '../../config/app-config.js';
import { type CheckError } from '../../domain/check-result.js';
import {
  canariesFailSince,
  EVIDENCE_LASTS_MS,
  type NetworkEvidence,
  hasVoters,
  mayBeOurNetwork,
  type NetworkPast,
  networkVerdict,
  provesNetwork,
} from '../../domain/network-verdict.js';
import { Egress } from '../../probes/net/egress.js';
import { DnsResolver } from '../../probes/net/name-resolver.js';
import { isDeepStrictEqual } from 'node:util';
import { Canary } from './canary.js';
import { CanaryRounds } from './canary-rounds.js';

/** Maximum time that a failing result waits for the verdict. */
const HOLD_MS = 2_000;
/** Time for which the canaries must have failed before the network counts as gone: other checks finish meanwhile. */
const SETTLE_MS = 1_000;
/** Time between two probes of a canary while nothing fails. The canaries take turns, so that their votes are recent. */
const BACKGROUND_MS = 30_000;
/** Time between two rounds while the network is gone, to detect its return. */
const RETURN_MS = 2_000;
/** Minimum time between two counts of the evidence, however many results wait: a count visits every monitor. */
const COUNT_EVERY_MS = 100;

interface Endpoint {
  host: string;
  port: number;
}

/** Allows every address, because the operator chooses the canaries. */
const ANYWHERE = { allows: () => true, refusesHost: () => false };

/**
 * Distinguishes an outage of our own network from targets that are down, by means of `CANARY_TARGETS`. Without
 * canaries, the network always counts as available. All times are monotonic.
 */
@Injectable()
export class CanariesService {
  private readonly logger = new Logger(CanariesService.name);
  private readonly own: readonly Endpoint[];
  private rounds: CanaryRounds;
  private count: number;
  private used: readonly Endpoint[];
  /** The latest check of each monitor, oldest first, without those that are too old to be evidence. */
  private readonly checks = new Map<string, NetworkEvidence>();
  private goneSince: number | null = null;
  /** Whether any canary or target has ever answered. */
  private proven = false;
  /** When the network last returned. */
  private goneUntil = Number.NEGATIVE_INFINITY;
  private countedAt = Number.NEGATIVE_INFINITY;
  private background: NodeJS.Timeout | undefined;
  private started = false;
  private stopped = false;
  private readonly egress = new Egress(ANYWHERE, new DnsResolver());

  constructor(config: AppConfig) {
    this.own = this.used = config.get('CANARY_TARGETS');
    this.count = this.own.length;
    this.rounds = this.roundsOf(this.own);
  }

  /** Uses the canaries of the location from now on; if it has none, those of this process. */
  use(targets: readonly Endpoint[]): void {
    const wanted = targets.length > 0 ? targets : this.own;
    if (wanted === this.used || isDeepStrictEqual(wanted, this.used)) return;
    this.used = wanted;
    this.count = wanted.length;
    this.rounds = this.roundsOf(wanted);
    if (this.started) this.start();
  }

  private roundsOf(targets: readonly Endpoint[]): CanaryRounds {
    return new CanaryRounds(targets.map((endpoint) => new Canary(endpoint, this.egress)));
  }

  /** The latest verdict. */
  get networkAvailable(): boolean {
    return this.goneSince === null;
  }

  start(): void {
    this.started = true;
    clearTimeout(this.background);
    if (this.count === 0) {
      this.goneSince = null;
      return;
    }
    this.rounds.begin(performance.now());
    this.askLater();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.background);
  }

  /**
   * Records a check that has just finished. If a missing network could explain its error, returns a promise of whether
   * it does, which resolves within 2 s and never rejects. Otherwise returns `null`.
   */
  judge(monitorId: string, startedAt: number, error: CheckError | null): Promise<boolean> | null {
    if (this.count === 0) return null;
    const now = performance.now();
    this.note(monitorId, now, provesNetwork(error));
    return mayBeOurNetwork(error) ? this.wasGone(startedAt, now) : null;
  }

  private get past(): NetworkPast {
    this.proven ||= this.rounds.readings.some(({ answeredAt }) => answeredAt !== null);
    return { goneSince: this.goneSince, proven: this.proven };
  }

  private note(monitorId: string, finishedAt: number, answered: boolean | null): void {
    if (answered === null) return;
    this.proven ||= answered;
    this.checks.delete(monitorId);
    this.checks.set(monitorId, { finishedAt, answered });
    for (const [id, check] of this.checks) {
      if (check.finishedAt >= finishedAt - EVIDENCE_LASTS_MS) break;
      this.checks.delete(id);
    }
  }

  /** A check that began while the network was gone failed for that reason, even if it ends after the return. */
  private async wasGone(startedAt: number, finishedAt: number): Promise<boolean> {
    const patience = new AbortController();
    const enough = delay(HOLD_MS, undefined, { signal: patience.signal }).catch(() => undefined);
    await Promise.race([this.evidence(finishedAt), enough]);
    patience.abort();
    this.decide();
    return this.goneSince !== null || startedAt < this.goneUntil;
  }

  /** Resolves once there is enough evidence to judge a check that finished at `finishedAt`. */
  private async evidence(finishedAt: number): Promise<void> {
    if (!hasVoters(this.rounds.readings, this.past, performance.now())) return;
    if (await this.rounds.someAnswerAfter(finishedAt)) return;
    const since = this.failSince(performance.now());
    if (since !== null) await delay(Math.max(0, since + SETTLE_MS - performance.now()));
  }

  private failSince(now: number): number | null {
    return canariesFailSince(this.rounds.readings, this.past, now);
  }

  private decide(): void {
    const now = performance.now();
    const since = this.failSince(now);
    if (since !== null) {
      if (now - this.countedAt < COUNT_EVERY_MS) return;
      this.countedAt = now;
    }
    const verdict = networkVerdict(this.rounds.readings, this.checks.values(), this.past, now);
    if (verdict === 'gone' && this.goneSince === null) this.begins(since!);
    if (verdict === 'present' && this.goneSince !== null) this.ends(this.goneSince, now);
  }

  private begins(since: number): void {
    this.goneSince = since;
    this.logger.warn('the network is down: no canary and few targets respond; failing checks are recorded as unknown');
    this.askLater();
  }

  private ends(since: number, now: number): void {
    this.goneSince = null;
    this.goneUntil = now;
    this.logger.log(`the network is back after ${Math.round((now - since) / 1_000)} s`);
  }

  private askLater(): void {
    clearTimeout(this.background);
    const waitMs = this.networkAvailable ? BACKGROUND_MS / this.count : RETURN_MS;
    if (!this.stopped) this.background = setTimeout(() => void this.askNow(), waitMs);
  }

  private async askNow(): Promise<void> {
    if (this.networkAvailable) await this.rounds.askOne();
    else await this.rounds.someAnswerAfter(performance.now());
    if (this.stopped) return;
    this.decide();
    this.askLater();
  }
}
