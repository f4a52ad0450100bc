import { setTimeout as delay } from 'node:timers/promises';
import { SECOND_MS } from '../../../src/domain/durations.js';
import { type MonitorDto } from '../../../src/modules/monitors/dto/monitor.dto.js';
import { Dice } from '../../fuzz/dice.js';
import { Api } from './api.js';
import { installAudit } from './audit.js';
import { breakCopy } from './broken-copy.js';
import { FAR, Fleet, NEAR } from './fleet.js';
import { Forger } from './forger.js';
import { judgeRun } from './judge-run.js';
import { type Judged } from './judge-checks.js';
import { drawPlan, type Fault, MEMBERS, type PlanOptions } from './plan.js';
import { Receiver } from './receiver.js';
import { CHANNELS, type Scene } from './scene.js';
import { settle } from './settle.js';
import { SpoolWatch } from './spool-watch.js';
import { StageProcess, strictTimetable } from './stage.js';
import { type Variant } from './variants.js';
import { time, Verdict } from './verdict.js';
import { Wire } from './wire.js';
import { Writers } from './writers.js';

export interface ChaosOptions {
  seed: number;
  minutes: number;
  monitors: number;
  plan?: PlanOptions;
  variant?: Variant;
  /** Time after the last fault in which everything must be back; more than it takes on a busy machine. */
  backWithinMs?: number;
  say: (line: string) => void;
}

/** The default of `REDIS_PREFIX`. */
const PREFIX = 'daywatch';
/** One in so many targets is a port; the others are paths of a web server. */
const PORT_EVERY = 4;
const WRITERS = 8;
const BACK_WITHIN_MS = 240 * SECOND_MS;
const MAX_TIMEOUT_MS = 4 * SECOND_MS;

/**
 * Runs many processes of the service against targets with known states while processes, servers and a location fail at
 * moments that the seed determines; waits until everything is back; and compares what is stored, reported and sent with
 * what must be.
 */
export async function chaos(options: ChaosOptions): Promise<Verdict> {
  const { seed, minutes, monitors, variant, backWithinMs = BACK_WITHIN_MS, say } = options;
  const lengthMs = minutes * 60 * SECOND_MS;
  const plan = drawPlan(seed, lengthMs, options.plan);
  const verdict = new Verdict();
  const closing: (() => Promise<unknown>)[] = [];
  const keep = <T extends { close(): Promise<unknown> }>(one: T): T => {
    closing.unshift(() => one.close());
    return one;
  };
  try {
    const stage = keep(await StageProcess.start(Math.floor(monitors / PORT_EVERY)));
    const receiver = keep(await Receiver.open(seed));
    const broken = variant && (await breakCopy(variant));
    if (broken) closing.unshift(() => broken.remove());
    const fleet = keep(await Fleet.open(MEMBERS, ({ cluster }) => installAudit(cluster), broken?.main));
    const wire = keep(new Wire(fleet.redis.port, PREFIX));
    const spools = keep(new SpoolWatch(fleet, ['recorder-1', 'recorder-2']));
    const api = new Api(() => fleet.origins, fleet.key);
    await subscribe(api, receiver);
    const judged = await createMonitors(api, stage, monitors, new Dice(seed, 1));
    const writers = new Writers(api, seed, `${stage.opened.urls}steady`);
    const near = judged.filter(({ locations }) => locations.join() === NEAR).map(({ id }) => id);
    const forger = keep(new Forger(fleet.farRedisUrl, PREFIX, near));
    const scene: Scene = { fleet, api, stage, receiver, writers, wire, spools, judged };

    say(`${judged.length} monitors, ${plan.length} faults within ${minutes} minutes`);
    writers.begin(WRITERS, judged[0]!.id);
    await stage.play(judged.map((_, index) => strictTimetable(new Dice(seed, 1_000 + index), lengthMs)));
    await happen(fleet, plan, lengthMs, say);
    await writers.end();
    await forger.close();
    say('everything has happened; waiting until all is back');
    await settle(scene, backWithinMs, verdict);
    verdict.note('forged batches of results', forger.forged);
    await judgeRun(scene, verdict);
    return verdict;
  } finally {
    for (const close of closing) await close().catch((error: unknown) => say(`could not clean up: ${String(error)}`));
  }
}

/** Lets the faults of a plan happen at their times. Resolves when all are over and the time of the run has passed. */
async function happen(fleet: Fleet, plan: readonly Fault[], lengthMs: number, say: (line: string) => void) {
  const startedAt = performance.now();
  const happening: Promise<void>[] = [];
  for (const fault of plan) {
    await delay(startedAt + fault.atMs - performance.now());
    const lasting = fault.forMs > 0 ? ` for ${(fault.forMs / SECOND_MS).toFixed(1)} s` : '';
    say(`${time(Date.now())} ${fault.kind} ${fault.member ?? ''}${lasting}`);
    happening.push(fleet.apply(fault));
  }
  await Promise.all(happening);
  await delay(startedAt + lengthMs - performance.now());
}

/** Creates a policy that notifies two receivers of everything that happens in a run. */
async function subscribe(api: Api, receiver: Receiver): Promise<void> {
  const put = async (path: string, body: object): Promise<void> => {
    const answer = await api.acknowledged('PUT', path, body);
    if (answer.status >= 300) throw new Error(`${path} was refused: ${JSON.stringify(answer.body)}`);
  };
  for (const name of CHANNELS) {
    const settings = { url: receiver.url(name) };
    await put(`/v1/notification-channels/key:${name}`, { name, type: 'webhook', settings });
  }
  const steps = [{ afterSeconds: 0, channelIds: CHANNELS.map((name) => `key:${name}`) }];
  const policy = { name: 'Everything', match: { all: true }, on: ['down', 'manual_incident'], steps };
  await put('/v1/notification-policies/key:everything', policy);
}

/** Creates the monitors of the targets, of several types, intervals, locations and quorums. */
async function createMonitors(api: Api, stage: StageProcess, count: number, dice: Dice): Promise<Judged[]> {
  const judged: Judged[] = [];
  const { urls, ports } = stage.opened;
  for (let target = 0; target < count; target += 1) {
    const intervalSeconds = dice.pick([1, 2, 3, 5, 10]);
    const timeoutMs = Math.min(intervalSeconds * SECOND_MS, MAX_TIMEOUT_MS);
    // Each choice of locations occurs, also with few monitors.
    const locations = [[NEAR], [NEAR, FAR], [FAR]][target % 3]!;
    const quorum = dice.pick(['any', 'majority', 'all'] as const);
    const port = ports[target];
    const what =
      port === undefined
        ? { type: 'http', url: `${urls}${target}`, headers: { Authorization: 'Bearer secret' } }
        : { type: 'tcp', host: '127.0.0.1', port };
    const definition = { name: `Target ${target}`, ...what, intervalSeconds, timeoutMs, locations, quorum };
    // Processes learn within two seconds of a new location.
    const { id, createdAt } = await created(api, definition);
    const intervalMs = intervalSeconds * SECOND_MS;
    judged.push({ id, target, intervalMs, timeoutMs, locations, quorum, createdAt: Date.parse(createdAt) });
  }
  return judged;
}

async function created(api: Api, definition: object): Promise<MonitorDto> {
  for (;;) {
    const { status, body } = await api.acknowledged<MonitorDto>('POST', '/v1/monitors', definition);
    if (status === 201) return body;
    if (!JSON.stringify(body).includes('locations')) throw new Error(`refused: ${JSON.stringify(body)}`);
    await delay(SECOND_MS);
  }
}
