import { type Quorum } from '../../src/domain/quorum.js';
import { type CheckPlan } from '../../src/modules/monitors/schedule/check-plan.types.js';
import { type Interval } from './intervals.js';

/**
 * A time in which the target is not simply up. `lossy`: it is up, but each check fails with the probability `loss`. A
 * failing check fails at once or, with `failsAtDeadline`, at its deadline.
 */
export interface Phase extends Interval {
  kind: 'down' | 'slow' | 'lossy';
  failsAtDeadline: boolean;
  loss: number;
}

/** An event of the service's side. Events of one monitor do not overlap. */
export type OwnEvent = Interval &
  (
    | { kind: 'stopped'; how: 'killed' | 'ended' | 'suspended' }
    | { kind: 'network' | 'database' | 'pause' }
    | { kind: 'slowRunner'; lagMs: number }
    /** Another process starts at `from`; the former one also continues until `to`. */
    | { kind: 'handOver' }
    | { kind: 'interval'; intervalMs: number }
    | { kind: 'clock' }
  );

/** From `at` on, the wall clock is `offsetMs` ahead of true time. */
export interface ClockStep {
  at: number;
  offsetMs: number;
}

/** Everything that happens to one monitor and its target, in true time. */
export interface MonitorScript {
  seed: number;
  index: number;
  /** The plan at the creation of the monitor, including its locations. */
  plan: CheckPlan;
  quorum: Quorum;
  /** Midnight UTC; the monitor is created some hours later. */
  beginsAt: number;
  createdAt: number;
  endsAt: number;
  /** The phases by location, sorted and disjoint. */
  targets: Phase[][];
  /** When each location alone had no network. Never two of them at a time. */
  blinds: Interval[][];
  own: OwnEvent[];
  maintenance: Interval[];
  clockSteps: ClockStep[];
}
