import { SECOND_MS } from '../../src/domain/durations.js';
import { type CheckResult } from '../../src/modules/checker/check-queue.js';
import { union } from './intervals.js';
import { type OwnEvent } from './script.types.js';
import { type Process, type Simulation } from './simulation.js';

/** The service records every second up to when the schedule was served. */
const NOTED_EVERY_MS = SECOND_MS;
/** Another process may take a lease that was not renewed for this long. */
const LEASE_MS = 15 * SECOND_MS;
/** After this time, a check that two processes run has ended in both. */
const TWINS_LAST_MS = 180 * SECOND_MS;

/** Adds the script's events of the service's side to the simulation, as the services around the schedule cause them. */
export function enact(simulation: Simulation): void {
  const { script, events } = simulation;
  events.add(script.createdAt, () => create(simulation));
  for (const event of script.own) {
    const [begin, end] = actsOf(simulation, event);
    events.add(event.from, begin);
    if (end) events.add(event.to, end);
  }
  [...simulation.places.values()].forEach((place, i) => {
    for (const { from, to } of script.blinds[i]!) {
      events.add(from, () => simulation.cut([place]));
      events.add(to, () => simulation.mend([place]));
    }
  });
  for (const { at } of script.clockSteps) stepClock(simulation, at);
  for (const { to } of union(script.maintenance)) simulation.atSlot(to, () => checkFailing(simulation));
}

function create(simulation: Simulation): void {
  const { process } = simulation;
  process.book.put(simulation.plan, simulation.slotNow());
  simulation.followSlots(process);
  simulation.checkNow('created');
}

function actsOf(simulation: Simulation, event: OwnEvent): [begin: () => void, end?: () => void] {
  switch (event.kind) {
    case 'stopped':
      return stop(simulation, event.how, event.to);
    case 'network':
      return [() => simulation.cut(simulation.places.values()), () => simulation.mend(simulation.places.values())];
    case 'database':
      return [() => (simulation.waiting = []), () => recordWaiting(simulation)];
    case 'slowRunner':
      return [() => (simulation.lagMs = event.lagMs), () => (simulation.lagMs = 0)];
    case 'handOver':
      return handOver(simulation, event.to);
    case 'pause':
      return [() => pause(simulation), () => resume(simulation)];
    case 'interval':
      return [
        () => {
          const { plan, process } = simulation;
          simulation.plan = { ...plan, revision: plan.revision + 1, intervalMs: event.intervalMs };
          process.book.put(simulation.plan, simulation.slotNow());
          simulation.followSlots(process);
        },
      ];
    case 'clock':
      return [() => undefined];
  }
}

/** Starts to dispatch. The time since `servedUntil` becomes an absence of the service. */
function begin(simulation: Simulation, process: Process, servedUntil: number): void {
  simulation.restartClock(servedUntil);
  const now = simulation.slotNow();
  if (servedUntil < now) simulation.absences.push({ from: servedUntil, to: now });
  process.book.restart(() => now);
  process.dispatching = true;
  simulation.process = process;
  simulation.followSlots(process);
}

function stop(
  simulation: Simulation,
  how: 'killed' | 'ended' | 'suspended',
  untilMs: number,
): [begin: () => void, end: () => void] {
  let servedUntil = 0;
  return [
    () => {
      const { process } = simulation;
      // A process that ends gracefully records the moment; otherwise it was recorded up to a second ago.
      const notedMs = how === 'ended' ? 0 : simulation.dice.below(NOTED_EVERY_MS);
      servedUntil = Math.floor(simulation.slotNow()) - notedMs;
      process.dispatching = false;
      process.turn += 1;
      if (how === 'killed') process.delivering = false;
      if (how === 'suspended') simulation.suspendedUntil = untilMs;
    },
    () => {
      if (how === 'suspended') return begin(simulation, simulation.process, servedUntil);
      const process = simulation.newProcess();
      process.book.put(simulation.plan, simulation.slotNow());
      begin(simulation, process, servedUntil);
    },
  ];
}

function handOver(simulation: Simulation, untilMs: number): [begin: () => void, end: () => void] {
  let former: Process;
  return [
    () => {
      former = simulation.process;
      simulation.twins = new Set();
      const process = simulation.newProcess();
      const now = Math.floor(simulation.slotNow());
      process.book.put(simulation.plan, now);
      begin(simulation, process, now - LEASE_MS - simulation.dice.below(NOTED_EVERY_MS));
      simulation.events.add(untilMs + TWINS_LAST_MS, () => (simulation.twins = null));
    },
    () => {
      former.dispatching = false;
      former.turn += 1;
    },
  ];
}

function pause(simulation: Simulation): void {
  const now = Math.floor(simulation.slotNow());
  simulation.pauses.push({ from: now, to: null });
  simulation.process.book.remove(simulation.plan.monitorId);
  simulation.process.turn += 1;
  simulation.alerts?.note('monitor.paused');
}

function resume(simulation: Simulation): void {
  const now = Math.floor(simulation.slotNow());
  simulation.pauses.at(-1)!.to = now;
  simulation.process.book.put(simulation.plan, now);
  simulation.followSlots(simulation.process);
  simulation.checkNow('resumed');
  simulation.alerts?.note('monitor.resumed');
}

/** Checks a monitor that is down or degraded at the end of its maintenance. */
function checkFailing(simulation: Simulation): void {
  const { places, pauses, process } = simulation;
  const isFailing = [...places.values()].some(({ record }) => /down|degraded/.test(record.state.status));
  const isPaused = pauses.at(-1)?.to === null;
  if (isFailing && !isPaused && process.dispatching) simulation.checkNow('resumed');
}

/** Records the results that waited for the database: in batches, in random order, some of them twice. */
function recordWaiting(simulation: Simulation): void {
  const { dice } = simulation;
  const waiting = simulation.waiting!;
  simulation.waiting = null;
  waiting.push(...dice.some(waiting, 0.1));
  const shuffled: CheckResult[] = shuffle(waiting, (limit) => dice.below(limit));
  for (let from = 0; from < shuffled.length;) {
    const size = 1 + dice.below(200);
    simulation.record(shuffled.slice(from, from + size));
    from += size;
  }
}

export function shuffle<T>(items: readonly T[], below: (limit: number) => number): T[] {
  const shuffled = [...items];
  for (let i = shuffled.length - 1; i > 0; i -= 1) {
    const other = below(i + 1);
    [shuffled[i], shuffled[other]] = [shuffled[other]!, shuffled[i]!];
  }
  return shuffled;
}

/**
 * Applies a step of the wall clock. If it is set forward, the next tick detects it like a process that was stopped. If
 * it is set back, nothing is detected.
 */
function stepClock(simulation: Simulation, at: number): void {
  let servedUntil = 0;
  // Services read the clock continuously, and so did just before the step.
  simulation.events.add(at - 1, () => (servedUntil = simulation.slotNow()));
  simulation.events.add(at, () => {
    if (simulation.slotNow() - servedUntil > LEASE_MS) begin(simulation, simulation.process, servedUntil);
    watchClock(simulation);
  });
}

/**
 * Reads the slot clock repeatedly while it waits for the wall clock. Services read it every few milliseconds; halving
 * the remaining time gives the same result.
 */
function watchClock(simulation: Simulation): void {
  const aheadMs = simulation.clockAheadMs();
  if (aheadMs <= 0) return;
  simulation.events.add(simulation.nowMs + Math.ceil(aheadMs / 2), () => watchClock(simulation));
}
