import { DAY_MS } from '../../src/domain/durations.js';
import {
  compareResults,
  type FoldedResult,
  type Gap,
  type LocationState,
  PENDING_STATE,
  type StatePolicy,
  type Transition,
} from '../../src/domain/monitor-state.js';
import { type Span } from '../../src/domain/span.js';
import { type CheckResult } from '../../src/modules/checker/check-queue.js';
import { type Detector } from './detector.js';
import { KeySet } from './key-set.js';

/** The state after a fold, and the results stored since. */
interface Checkpoint {
  state: LocationState;
  stored: FoldedResult[];
  keys: KeySet;
}

const KEPT_CHECKPOINTS = 4;

/**
 * Maintains the state of a monitor at one location as the recorder and `MonitorStatesService` do, but in memory. Each
 * key counts once. Results in order continue the fold; late ones are folded from the last checkpoint before them.
 */
export class LocationRecord {
  state: LocationState = PENDING_STATE;
  transitions: Transition[] = [];
  gaps: Gap[] = [];
  /** How often the transitions have changed. */
  changes = 0;
  private newestKey = -Infinity;
  private readonly checkpoints: Checkpoint[] = [{ state: PENDING_STATE, stored: [], keys: new KeySet() }];

  constructor(
    private readonly detector: Detector,
    private readonly policy: StatePolicy,
    private readonly pauses: readonly Span[],
  ) {}

  /** Applies a batch in any order. Returns the results that were new. */
  apply(batch: readonly CheckResult[]): CheckResult[] {
    const fresh: CheckResult[] = [];
    const moving: FoldedResult[] = [];
    for (const delivered of batch) {
      const result = this.detector.recorded(delivered);
      const key = this.detector.keyOf(result);
      // Nearly all results arrive in order: one with a higher key than the newest is new.
      if (key > this.newestKey) this.newestKey = key;
      else if (this.checkpoints.some(({ keys }) => keys.has(key))) continue;
      this.checkpoints.at(-1)!.keys.add(key);
      fresh.push(delivered);
      if (result.status === 'unknown' || this.isPaused(result.checkedAt)) continue;
      const { scheduledAt, attempt, checkedAt, intervalMs, status, outcome } = result;
      moving.push({ scheduledAt, attempt, checkedAt, intervalMs, status, error: outcome.error });
    }
    if (moving.length === 0) return fresh;
    moving.sort(compareResults);
    const { last } = this.state;
    if (last === null || compareResults(moving[0]!, last) > 0) this.goOn(moving);
    else this.refold(moving);
    this.keepCheckpoint();
    return fresh;
  }

  private goOn(results: FoldedResult[]): void {
    const { stored } = this.checkpoints.at(-1)!;
    for (const result of results) stored.push(result);
    this.foldFrom(this.state, results);
  }

  private refold(results: FoldedResult[]): void {
    const dropped: Checkpoint[] = [];
    const before = (at: number): boolean => this.checkpoints.at(-1)!.state.last!.checkedAt < at;
    while (this.checkpoints.length > 1 && !before(results[0]!.checkedAt)) dropped.unshift(this.checkpoints.pop()!);
    const from = this.checkpoints.at(-1)!;
    const throughMs = from.state.last?.checkedAt ?? -Infinity;
    if (results[0]!.checkedAt <= throughMs) throw new Error('a result arrived too late for the stored checkpoints');
    for (const { stored, keys } of dropped) {
      for (const result of stored) from.stored.push(result);
      from.keys.addAll(keys);
    }
    for (const result of results) from.stored.push(result);
    from.stored.sort(compareResults);
    this.changes += 1;
    this.transitions = this.transitions.filter((one) => one.confirmedAt <= throughMs);
    this.gaps = this.gaps.filter((gap) => gap.to <= throughMs);
    this.foldFrom(from.state, from.stored);
  }

  private foldFrom(start: LocationState, results: readonly FoldedResult[]): void {
    const { state, transitions, gaps } = this.detector.fold(start, results, this.policy);
    this.state = state;
    this.transitions.push(...transitions);
    if (transitions.length > 0) this.changes += 1;
    this.gaps.push(...gaps);
  }

  private keepCheckpoint(): void {
    const through = this.checkpoints.at(-1)!.state.last?.checkedAt ?? this.checkpoints.at(-1)!.stored[0]!.checkedAt;
    if (this.state.last!.checkedAt - through < DAY_MS) return;
    this.checkpoints.push({ state: this.state, stored: [], keys: new KeySet() });
    if (this.checkpoints.length > KEPT_CHECKPOINTS) this.checkpoints.shift();
  }

  private isPaused(atMs: number): boolean {
    return this.pauses.some(({ from, to }) => from <= atMs && atMs < (to ?? Infinity));
  }
}
