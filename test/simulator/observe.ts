import { holdsUntil, type Transition } from '../../src/domain/monitor-state.js';
import { type LocationHistory } from '../../src/domain/state-timeline.js';
import { type Uptime } from '../../src/domain/uptime.js';
import { type CheckResult } from '../../src/modules/checker/check-queue.js';
import { drawAlerting } from './alert-script.js';
import { AlertSide } from './alert-side.js';
import { type Detector } from './detector.js';
import { type Evidence } from './evidence.js';
import { enact } from './our-side.js';
import { LocationRecord } from './recorder.js';
import { type MonitorScript } from './script.types.js';
import { Simulation } from './simulation.js';

/** The outcome of the rules for one monitor's checks. */
export interface Observation {
  checks: number;
  /** By location, in the order of the plan. The transitions are in the order in which they are read. */
  locations: { transitions: Transition[]; history: LocationHistory; evidence: Evidence }[];
  uptime: Uptime;
  endsAt: number;
  alerts: AlertSide;
  /** All recorded results; null unless requested. */
  accepted: CheckResult[] | null;
  /** Computes the outcome for the same results delivered in these batches. */
  replay: (batches: readonly (readonly CheckResult[])[]) => { locations: LocationHistory[]; uptime: Uptime };
}

/** Runs a script through the rules. `keepAccepted` also returns the recorded results. */
export function observe(script: MonitorScript, detector: Detector, keepAccepted = false): Observation {
  const simulation = new Simulation(script, detector);
  if (keepAccepted) simulation.accepted = [];
  const { monitorId, failureThreshold, recoveryThreshold } = script.plan;
  const policy = detector.policy({ monitorId, failureThreshold, recoveryThreshold, excused: simulation.absences });
  const alerts = new AlertSide(simulation, policy, drawAlerting(script));
  simulation.alerts = alerts;
  enact(simulation);
  simulation.runToEnd();

  const endsAt = Math.floor(simulation.slotNow());
  const history = (record: LocationRecord): LocationHistory => ({
    transitions: inReadingOrder(record.transitions),
    gaps: record.gaps,
    absences: simulation.absences,
    tail: holdsUntil(record.state, policy, simulation.plan.intervalMs),
  });
  const uptimeOf = (locations: LocationHistory[]): Uptime =>
    detector.computeUptime({
      fromMs: script.beginsAt,
      toMs: script.endsAt,
      nowMs: endsAt,
      createdAtMs: script.createdAt,
      locations,
      quorum: script.quorum,
      spans: { paused: simulation.pauses, maintenance: script.maintenance, excluded: [] },
    });
  const places = [...simulation.places.values()];
  const locations = places.map(({ record, evidence }) => ({
    transitions: inReadingOrder(record.transitions),
    history: history(record),
    evidence,
  }));
  return {
    checks: simulation.checks,
    locations,
    uptime: uptimeOf(locations.map((location) => location.history)),
    endsAt,
    alerts,
    accepted: simulation.accepted,
    replay: (batches) => {
      const again = places.map(({ name }) => {
        const record = new LocationRecord(detector, policy, simulation.pauses);
        for (const batch of batches) {
          const own = batch.filter((result) => result.location === name);
          if (own.length > 0) record.apply(own);
        }
        return history(record);
      });
      return { locations: again, uptime: uptimeOf(again) };
    },
  };
}

function inReadingOrder(transitions: readonly Transition[]): Transition[] {
  return [...transitions].sort((a, b) => a.at - b.at || a.confirmedAt - b.confirmedAt);
}
