import { isDeepStrictEqual } from 'node:util';
import { HOUR_MS } from '../../src/domain/durations.js';
import { Dice } from '../fuzz/dice.js';
import { compareAlerts } from './compare-alerts.js';
import { compareIncidents } from './compare-incidents.js';
import { compareLocation } from './compare-locations.js';
import { compareRuns } from './compare-runs.js';
import { compareTime } from './compare-time.js';
import { type Detector } from './detector.js';
import { type Observation, observe } from './observe.js';
import { shuffle } from './our-side.js';
import { truthOf } from './oracle.js';
import { type MonitorScript } from './script.types.js';
import { type Verdict } from './verdict.js';

/** Runs one monitor's script through the rules, and compares their results with the script. */
export function judgeMonitor(script: MonitorScript, detector: Detector, replay: boolean, verdict: Verdict): void {
  verdict.begin(script.index);
  const observation = observe(script, detector, replay);
  const truth = truthOf(script);
  const { uptime, locations, endsAt } = observation;
  verdict.counts.checks += observation.checks;
  locations.forEach((location, i) => compareLocation(script, truth, i, location, verdict));
  compareRuns(uptime.outages, truth, verdict);
  compareIncidents(detector.incidentsOf(uptime.outages, script.maintenance, endsAt), truth, verdict);
  compareAlerts(observation.alerts, truth, endsAt, verdict);
  compareTime(uptime, truth, { from: script.beginsAt, to: Math.min(script.endsAt, endsAt) }, verdict);
  if (observation.accepted) compareDeliveries(script, observation, verdict);
}

/** Requires the same outcome if the results arrive late, in another order, in other batches, and some of them twice. */
function compareDeliveries(script: MonitorScript, observation: Observation, verdict: Verdict): void {
  const dice = new Dice(script.seed, script.index);
  const results = observation.accepted!;
  const late = results.map((result) => ({ result, at: result.checkedAt + dice.below(12 * HOUR_MS) }));
  late.push(...dice.some(late, 0.05).map(({ result, at }) => ({ result, at: at + dice.below(HOUR_MS) })));
  late.sort((a, b) => a.at - b.at);
  const delivered = late.map(({ result }) => result);
  const batches: (typeof results)[] = [];
  for (let from = 0; from < delivered.length;) {
    const size = 1 + dice.below(2_000);
    batches.push(shuffle(delivered.slice(from, from + size), (limit) => dice.below(limit)));
    from += size;
  }
  const expected = { locations: observation.locations.map(({ history }) => history), uptime: observation.uptime };
  verdict.counts.replayed += 1;
  if (!isDeepStrictEqual(observation.replay(batches), expected)) verdict.find('order', 'in late, shuffled batches');
  if (!isDeepStrictEqual(observation.replay([results]), expected)) verdict.find('order', 'in a single batch');
}
