import { type Quorum } from '../../src/domain/quorum.js';
import { type CheckPlan } from '../../src/modules/monitors/schedule/check-plan.types.js';
import { type Interval } from './intervals.js';

/**
 * A time in which the target is not simply up. `lossy`: it is up, and each check of it fails with the probability `loss`.
 * Where a check fails, it fails at once or only at its deadline.
 */
export interface Phase extends Interval {
  kind: 'down' | 'slow' | 'lossy';
  failsAtDeadline: boolean;
  loss: number;
}

/** What happens on our side. No two of one monitor overlap. */
export type OwnEvent = Interval &
  (
    | { kind: 'stopped'; how: 'killed' | 'ended' | 'suspended' }
    | { kind: 'network' | 'database' | 'pause' }
    | { kind: 'slowRunner'; lagMs: number }
    /** At `from` another process begins; until `to` the former one goes on as well. */
    | { kind: 'handOver' }
    | { kind: 'interval'; intervalMs: number }
    | { kind: 'clock' }
  );

/** From `at` on the wall clock is `offsetMs` ahead of true time. */
export interface ClockStep {
  at: number;
  offsetMs: number;
}

/** Everything that happens to one monitor and its target, in true time. */
export interface MonitorScript {
  seed: number;
  index: number;
  /** The plan at its creation, its locations among it. */
  plan: CheckPlan;
  quorum: Quorum;
  /** Midnight UTC; the monitor is made some hours later. */
  beginsAt: number;
  createdAt: number;
  endsAt: number;
  /** By location: sorted and disjoint. */
  targets: Phase[][];
  own: OwnEvent[];
  maintenance: Interval[];
  clockSteps: ClockStep[];
}
