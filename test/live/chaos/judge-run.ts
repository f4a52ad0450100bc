import { type UptimeDto } from '../../../src/modules/uptime/dto/uptime.dto.js';
import { intrusions, leaseChanges } from './audit.js';
import { CHANNELS, type Scene } from './scene.js';
import { FORGED } from './forger.js';
import { judgeAlerts } from './judge-alerts.js';
import { judgeDown, judgeOutcomes, judgeRows, judgeSlots } from './judge-checks.js';
import { judgeAbsences, judgeFencing, judgeTakeovers } from './judge-leases.js';
import { downRuns, judgeStates } from './judge-states.js';
import { FAULT_KINDS } from './plan.js';
import { checksOf, gapsOf, sharedSpans, tailsOf, transitionsOf } from './records.js';
import { stopWork } from './settle.js';
import { type Verdict } from './verdict.js';
import { resultKey } from './wire.js';

/** A start fails for this long after the database or Redis is back, on a busy machine. */
const START_MS = 10_000;

/** Compares everything that a run has left with what must be there. */
export async function judgeRun(scene: Scene, verdict: Verdict): Promise<void> {
  const { fleet, api, writers } = scene;
  const endedAt = Date.now();
  await stopWork(scene, verdict);
  for (const lost of await writers.lost()) verdict.find('lost_write', lost);
  for (const refused of writers.refused) verdict.find('refused_write', refused);
  verdict.note('acknowledged writes', writers.acknowledged);
  verdict.note('requests by outcome', JSON.stringify(api.outcomes));
  judgeProcesses(scene, verdict);
  await judgeRows(fleet.cluster, verdict);
  const judged = await judgeMonitors(scene, verdict);
  await judgeQueues(scene, verdict);
  const records = { changes: await leaseChanges(fleet.cluster), happened: fleet.happened, endedAt };
  judgeTakeovers(records, verdict);
  const spooled = (application: string, at: number): boolean => scene.spools.wasUsed(application, at);
  judgeFencing(records, await intrusions(fleet.cluster), scene.wire.dispatches, spooled, verdict);
  judgeAbsences(records, await sharedSpans(fleet.cluster), judged, verdict);
  await judgeAlerts(fleet.cluster, scene.receiver.messages, writers.incidents, CHANNELS, fleet.happened, verdict);
}

/** Expects every process to end only when it is interrupted, and to start again. */
function judgeProcesses({ fleet }: Scene, verdict: Verdict): void {
  for (const kind of FAULT_KINDS) {
    const some = fleet.happened.filter((one) => one.kind === kind);
    const applied = some.filter(({ isApplied }) => isApplied).length;
    if (some.length > 0)
      verdict.note(kind, applied < some.length ? `${applied}, ${some.length - applied} in vain` : applied);
  }
  const servers = fleet.happened.filter(({ member }) => member === null);
  let starts = 0;
  for (const keeper of fleet.keepers.values()) {
    starts += keeper.starts;
    for (const crash of keeper.crashes) verdict.find('crash', crash);
    for (const { from, to, text } of keeper.failedStarts) {
      if (!servers.some((one) => one.from < to && from < one.to + START_MS)) verdict.find('failed_start', text);
    }
  }
  verdict.note('starts of processes', starts);
}

async function judgeMonitors({ fleet, api, stage, judged }: Scene, verdict: Verdict) {
  const { played, stalls } = await stage.report();
  const shared = await sharedSpans(fleet.cluster);
  const sums = { checks: 0, missing: 0, doubtful: 0, outages: 0, detected: 0 };
  const all = [];
  for (const one of judged) {
    const checks = await checksOf(fleet.cluster, one.id);
    const transitions = await transitionsOf(fleet.cluster, one.id);
    const path = `/v1/monitors/${one.id}/uptime?days=2&fidelity=true`;
    const { body: uptime } = await api.acknowledged<UptimeDto>('GET', path);
    sums.checks += checks.length;
    sums.missing += judgeSlots(one, checks, uptime, verdict);
    sums.doubtful += judgeOutcomes(one, checks, played[one.target]!, stalls, verdict).length;
    const { outages, detected } = judgeDown(one, checks, downRuns(transitions), played[one.target]!, stalls, verdict);
    sums.outages += outages;
    sums.detected += detected;
    const [gaps, tails] = [await gapsOf(fleet.cluster, one.id), await tailsOf(fleet.cluster, one.id)];
    judgeStates(one, { checks, transitions, gaps, tails, uptime }, shared, verdict);
    all.push({ ...one, checks });
  }
  verdict.note('checks of monitors with timetables', sums.checks);
  verdict.note('slots of theirs without a check, all reported as missed', sums.missing);
  verdict.note('timeouts while the target was up, never confirmed', sums.doubtful);
  verdict.note('outages by location, and detected ones', `${sums.outages}, ${sums.detected}`);
  verdict.note('seconds in which targets could respond late', Math.round(stalls.reduce((sum, { from, to }) => sum + to - from, 0) / 1_000)); // prettier-ignore
  return all;
}

/** Expects what processes have acknowledged to each other to be where they said, and nothing forged to be recorded. */
async function judgeQueues({ fleet, wire, judged }: Scene, verdict: Verdict): Promise<void> {
  const places = new Set(judged.flatMap(({ id, locations }) => locations.map((location) => `${id}/${location}/`)));
  const isJudged = (key: string): boolean => places.has(key.slice(0, key.indexOf('/', 37) + 1));
  const stored = new Set<string>();
  for (const { id } of judged)
    for (const check of await checksOf(fleet.cluster, id)) stored.add(resultKey({ ...check, monitorId: id }));
  const acknowledged = [...wire.acknowledged].filter(isJudged);
  verdict.note('acknowledged results of theirs', acknowledged.length);
  for (const key of acknowledged) if (!stored.has(key)) verdict.find('lost_result', `${key} was acknowledged`);
  verdict.note('finished batches of checks', wire.finishedBatches);
  for (const key of wire.withoutResult.filter(isJudged)) verdict.find('lost_check', `${key} has no result in a queue`);
  const [forged] = await fleet.cluster.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM checks WHERE error_message = $1`,
    [FORGED],
  );
  if (forged!.n > 0) verdict.find('forged', `${forged!.n} forged results were recorded`);
}
