import { SECOND_MS } from '../../../src/domain/durations.js';
import { Dice } from '../../fuzz/dice.js';

/** The processes of a run, by name. A worker of the location that can be cut off has its own role here. */
export const MEMBERS = [
  ...['api-1', 'api-2', 'dispatcher-1', 'dispatcher-2', 'worker-1', 'worker-2', 'far-worker-1', 'far-worker-2'],
  ...['recorder-1', 'recorder-2', 'notifier-1', 'notifier-2'],
] as const;
export type Member = (typeof MEMBERS)[number];

/** What happens to a process, a server or a location. */
export const FAULT_KINDS = [
  ...['kill', 'suspend', 'redis-restart', 'redis-flush', 'postgres-fast', 'postgres-immediate', 'cut-off'],
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export interface Fault {
  kind: FaultKind;
  /** Milliseconds after the start of the run. */
  atMs: number;
  /** How long it lasts: a suspension, the time until a server is started again, or the time without a connection. */
  forMs: number;
  /** The process to which it happens; null for a server or a location. */
  member: Member | null;
}

/** Which faults are drawn, and how often in comparison. */
export type FaultWeights = Partial<Record<FaultKind, number>>;

export interface PlanOptions {
  weights?: FaultWeights;
  /** Processes to which something may happen. */
  members?: readonly Member[];
  /** Mean time between the beginnings of two faults. */
  everyMs?: number;
  /** Limits of suspensions. */
  shortestMs?: number;
  longestMs?: number;
}

export const USUAL_WEIGHTS: FaultWeights = {
  kill: 35,
  suspend: 30,
  'redis-restart': 7,
  'redis-flush': 7,
  'postgres-fast': 5,
  'postgres-immediate': 5,
  'cut-off': 6,
};

const EVERY_MS = 6 * SECOND_MS;
const LONGEST_SUSPENSION_MS = 20 * SECOND_MS;

/**
 * Draws the faults of a run, by time. They may overlap, except that a server or a location is not interrupted again
 * before it is back. All of them are over by `lengthMs`.
 */
export function drawPlan(seed: number, lengthMs: number, options: PlanOptions = {}): Fault[] {
  const { weights = USUAL_WEIGHTS, members = MEMBERS, everyMs = EVERY_MS } = options;
  const dice = new Dice(seed, 7);
  const choices = Object.entries(weights).map(([kind, weight]) => [weight, kind as FaultKind] as const);
  const plan: Fault[] = [];
  const freeAt = new Map<string, number>();
  for (let atMs = everyMs; ; atMs += (everyMs >> 1) + dice.below(everyMs)) {
    const kind = dice.weighted(choices);
    const member = kind === 'kill' || kind === 'suspend' ? dice.pick(members) : null;
    const forMs = durationOf(kind, dice, options);
    if (atMs + forMs >= lengthMs) return plan;
    const what = serverOf(kind);
    if (what !== null && atMs < (freeAt.get(what) ?? 0)) continue;
    if (what !== null) freeAt.set(what, atMs + forMs + 2 * SECOND_MS);
    plan.push({ kind, atMs, forMs, member });
  }
}

function serverOf(kind: FaultKind): string | null {
  if (kind === 'cut-off') return kind;
  return kind.startsWith('redis-') || kind.startsWith('postgres-') ? kind.split('-')[0]! : null;
}

function durationOf(
  kind: FaultKind,
  dice: Dice,
  { shortestMs = SECOND_MS, longestMs = LONGEST_SUSPENSION_MS }: PlanOptions,
): number {
  switch (kind) {
    case 'kill':
    case 'redis-flush':
      return 0;
    case 'suspend':
      return shortestMs + dice.below(longestMs - shortestMs);
    case 'redis-restart':
      return dice.below(8 * SECOND_MS);
    case 'postgres-fast':
    case 'postgres-immediate':
      return dice.chance(0.5) ? 0 : dice.below(12 * SECOND_MS);
    case 'cut-off':
      return 10 * SECOND_MS + dice.below(30 * SECOND_MS);
  }
}
