import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { SECOND_MS } from '../../src/domain/durations.js';
import { type Page } from '../../src/http/lists/page.js';
import { type IncidentDto } from '../../src/modules/incidents/dto/incident.dto.js';
import { type TransitionDto } from '../../src/modules/monitors/dto/transition.dto.js';
import { type UptimeDto } from '../../src/modules/uptime/dto/uptime.dto.js';
import { Dice } from '../fuzz/dice.js';
import { linkTo } from '../support/database-link.js';
import { eventually } from '../support/eventually.js';
import { ServiceProcess } from '../support/service.js';
import { startSwitchable } from '../support/switchable.js';
import { Stage } from './actor.js';
import { type Blind, type Bounds, judge, type Judgement } from './judge.js';
import { timetable } from './timetable.js';

export type Fault = 'network' | 'database' | 'kill' | 'stop';

export interface LiveOptions {
  databaseUrl: string;
  seed: number;
  monitors: number;
  minutes: number;
  intervalSeconds: number;
  /** Faults of the service's side, in this order, spread over the time. */
  faults: readonly Fault[];
  say: (text: string) => void;
}

const TIMEOUT_MS = 2_000;
/** A killed process holds the lease for another 15 s; after that, the next check may take a whole interval. */
const TAKE_OVER_MS = 18 * SECOND_MS;

/**
 * Runs the service against targets that play timetables, causes faults of the service's side meanwhile, and compares
 * the reported states and figures with the true ones.
 */
export async function live(options: LiveOptions): Promise<Judgement> {
  const { seed, monitors, minutes, intervalSeconds, say } = options;
  const dataDir = await mkdtemp(join(tmpdir(), 'daywatch-live-'));
  const link = await linkTo(options.databaseUrl);
  const [canary, second] = [await startSwitchable(), await startSwitchable()];
  const stage = new Stage(new Dice(seed, monitors));
  await stage.open();
  const settings = {
    DATABASE_URL: link.url,
    ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
    MIN_INTERVAL_SECONDS: '1',
    CANARY_TARGETS: `127.0.0.1:${canary.port},127.0.0.1:${second.port}`,
  };
  let service = await ServiceProcess.start(dataDir, settings);
  const blind: Blind[] = [];
  const late: Blind[] = [];

  const faults: Record<Fault, () => Promise<void>> = {
    network: async () => {
      const from = Date.now();
      await Promise.all([stage.close(), canary.down(), second.down()]);
      await delay(15 * SECOND_MS);
      await Promise.all([stage.open(), canary.up(), second.up()]);
      blind.push({ from, to: Date.now() + 4 * SECOND_MS });
    },
    database: async () => {
      const from = Date.now();
      await link.cut();
      await delay(20 * SECOND_MS);
      await link.restore();
      late.push({ from, to: Date.now() + 10 * SECOND_MS });
    },
    kill: async () => {
      const from = Date.now();
      await service.end('SIGKILL');
      service = await ServiceProcess.start(dataDir, settings);
      blind.push({ from, to: Date.now() + TAKE_OVER_MS });
    },
    stop: async () => {
      const from = Date.now();
      service.signal('SIGSTOP');
      await delay(20 * SECOND_MS);
      service.signal('SIGCONT');
      blind.push({ from, to: Date.now() + TAKE_OVER_MS });
    },
  };

  try {
    const ids: string[] = [];
    for (let index = 0; index < monitors; index += 1) {
      const { status, body } = await service.call<{ id: string }>('POST', '/v1/monitors', {
        name: `Target ${index}`,
        type: 'http',
        url: stage.url(index),
        intervalSeconds,
        timeoutMs: TIMEOUT_MS,
        degradedAfterMs: 500,
      });
      if (status !== 201) throw new Error(`a monitor could not be created: ${JSON.stringify(body)}`);
      ids.push(body.id);
    }
    const lengthMs = minutes * 60 * SECOND_MS;
    const plays = ids.map((_, index) => stage.play(index, timetable(new Dice(seed, index), lengthMs)));
    for (const fault of options.faults) {
      await delay(lengthMs / (options.faults.length + 1));
      say(`${fault} …`);
      await faults[fault]();
    }
    await Promise.all(plays);
    await delay(2 * intervalSeconds * SECOND_MS + 2 * TIMEOUT_MS);

    const retryMs = Math.max(SECOND_MS, Math.floor((intervalSeconds * SECOND_MS) / 3));
    const bounds: Bounds = { intervalMs: intervalSeconds * SECOND_MS, retryMs, timeoutMs: TIMEOUT_MS, graceMs: 500 };
    const judgement: Judgement = {
      findings: [],
      outages: 0,
      detected: 0,
      excused: 0,
      falseDown: 0,
      lossConfirmed: 0,
      startErrorsMs: [],
      endErrorsMs: [],
      confirmationMs: [],
      incidentMs: [],
    };
    for (const [index, id] of ids.entries()) {
      judge(index, stage.played[index]!, await observe(service, id), blind, late, bounds, judgement);
    }
    return judgement;
  } finally {
    await service.end('SIGKILL');
    await Promise.all([stage.close(), canary.down(), second.down()]);
    await link.cut().catch(() => undefined);
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Returns the reported data of a monitor, retrying while the service cannot respond. */
async function observe(service: ServiceProcess, id: string) {
  const all = async <T>(path: string): Promise<T[]> => {
    const { status, body } = await service.call<Page<T>>('GET', `/v1/monitors/${id}/${path}?limit=200`);
    if (status !== 200) throw new Error(`${path}: ${status}`);
    return body.data;
  };
  return eventually(async () => {
    const { body } = await service.call<UptimeDto>('GET', `/v1/monitors/${id}/uptime?days=2`);
    return {
      transitions: (await all<TransitionDto>('transitions')).reverse(),
      incidents: await all<IncidentDto>('incidents'),
      downSeconds: body.totals.downSeconds,
    };
  });
}
