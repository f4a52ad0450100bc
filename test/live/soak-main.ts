import { mkdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Attacker, type Case, REQUESTS, TARGETS } from '../availability/cases.js';
import { HelperProcess } from '../availability/helper-process.js';
import { runCommandProcess } from '../support/command-run.js';
import { OutageScene } from './outage.js';

/**
 * One team runs random attacks of the catalogue of `test/availability` for some minutes, while another team has 500
 * checks per second and reads its monitors. Reports the effect on the other team.
 */
const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '30' }, rate: { type: 'string', default: '500' } },
});
const CASE_MS = 2_000;
const CALLERS = 4;
const MONITORS = 12;
const READ_EVERY_MS = 100;
const SAMPLE_MS = 10_000;
const METRICS_TOKEN = 'a token of the soak';

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!;
const percentile = (list: readonly number[], share: number): number =>
  [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(share * list.length))] ?? NaN;

const scene = await OutageScene.open(2 * Number(values.rate), { METRICS_TOKEN });
const hostile = new HelperProcess('hostile-target-process.js');
const watch = new HelperProcess('watch-process.js', `${scene.running.origin}/healthz`);
const { origin } = scene.running;
await mkdir(scene.dataDir, { recursive: true });
const { stdout } = await runCommandProcess('team-create', ['Hostile'], {
  DATA_DIR: scene.dataDir,
  DATABASE_URL: scene.cluster.url,
});
const authorization = `Bearer ${stdout.trim().split('\n').at(-1)!}`;
let calls = 0;
const attacker: Attacker = {
  origin,
  target: `http://127.0.0.1:${await hostile.nextLine()}`,
  unique: () => (calls += 1),
  async send(method, path, body, headers = {}) {
    const answer = await fetch(`${origin}${path}`, {
      method,
      redirect: 'manual',
      headers: { authorization, ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
    });
    await answer.arrayBuffer();
    return answer.status;
  },
};

let isOver = false;
const statuses: Record<string, number> = {};

async function doFor(ms: number, one: Case): Promise<void> {
  for (const until = Date.now() + ms; Date.now() < until;) {
    const status = String(await one(attacker).catch(() => 'none'));
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
}

/** Creates monitors for a case. They are checked during the next cases and deleted later. */
async function watchHostile(one: Case): Promise<void> {
  for (let number = 0; number < MONITORS; number += 1) await one(attacker).catch(() => undefined);
  await delay(CASE_MS);
}

async function removeMonitors(): Promise<void> {
  const answer = await fetch(`${origin}/v1/monitors?limit=200`, { headers: { authorization } });
  if (!answer.ok) return;
  const { data } = (await answer.json()) as { data: { id: string }[] };
  for (const { id } of data) await attacker.send('DELETE', `/v1/monitors/${id}`).catch(() => undefined);
}

/** The cases that ran at the same time, to find the ones that delayed the other team. */
interface Round {
  names: string[];
  fromMs: number;
}
const rounds: Round[] = [];

const anyOf = (cases: Readonly<Record<string, Case>>): [string, Case] => pick(Object.entries(cases));

async function attack(): Promise<void> {
  for (let round = 0; !isOver; round += 1) {
    const isOfTargets = round % 5 === 4;
    const chosen = isOfTargets ? [anyOf(TARGETS)] : Array.from({ length: CALLERS }, () => anyOf(REQUESTS));
    rounds.push({ names: chosen.map(([name]) => name), fromMs: Date.now() });
    if (isOfTargets) await watchHostile(chosen[0]![1]);
    else await Promise.all(chosen.map(([, one]) => doFor(CASE_MS, one)));
    if (round % 15 === 14) await removeMonitors();
  }
}

/** Returns the cases during which the other team's checks were latest: the median over their rounds, in milliseconds. */
async function latestDuring(): Promise<Record<string, number>> {
  const lags = await scene.cluster.query<{ round: number; lag: number }>(
    `SELECT width_bucket(extract(epoch FROM scheduled_at) * 1000, $2::float8[]) - 1 AS round,
       percentile_cont(0.99) WITHIN GROUP (ORDER BY extract(epoch FROM checked_at - scheduled_at) * 1000)::float8 AS lag
     FROM checks WHERE monitor_id = ANY($1::uuid[]) AND attempt = 0 AND scheduled_at >= to_timestamp(($2::float8[])[1] / 1000) GROUP BY 1`,
    [scene.monitorIds, rounds.map(({ fromMs }) => fromMs)],
  );
  const byCase = new Map<string, number[]>();
  for (const { round, lag } of lags) {
    for (const name of rounds[round]!.names) byCase.set(name, [...(byCase.get(name) ?? []), lag]);
  }
  return Object.fromEntries(
    [...byCase]
      .map(([name, list]): [string, number] => [name, Math.round(percentile(list, 0.5))])
      .sort(([, one], [, other]) => other - one)
      .slice(0, 12),
  );
}

const readMs: number[] = [];
const readStatuses: Record<string, number> = {};
async function read(): Promise<void> {
  while (!isOver) {
    const from = performance.now();
    const status = await scene.running.call('GET', `/v1/monitors/${pick(scene.monitorIds)}`).then(
      (answer) => String(answer.status),
      () => 'none',
    );
    readMs.push(performance.now() - from);
    readStatuses[status] = (readStatuses[status] ?? 0) + 1;
    await delay(READ_EVERY_MS);
  }
}

async function metric(name: string): Promise<number> {
  const answer = await fetch(`${origin}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  return Number(new RegExp(`^${name} (.+)$`, 'm').exec(await answer.text())?.[1]);
}

async function residentMib(): Promise<number> {
  const status = await readFile(`/proc/${scene.running.pid}/status`, 'latin1');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1_024);
}

try {
  const from = new Date();
  await watch.ask();
  const work = [attack(), read()];
  const memory: number[] = [];
  const healthMs: number[] = [];
  for (const until = Date.now() + Number(values.minutes) * 60_000; Date.now() < until;) {
    await delay(SAMPLE_MS);
    memory.push(await residentMib());
    healthMs.push(Number(await watch.ask()));
    if (memory.length % 12 === 0) {
      say(`${memory.length / 6} min: ${memory.at(-1)} MiB, worst /healthz ${Math.max(...healthMs).toFixed(0)} ms`);
    }
  }
  isOver = true;
  await Promise.all(work);
  const lag = await scene.cluster.query<Record<string, number>>(
    `SELECT count(*)::int AS checks,
       percentile_cont(0.5) WITHIN GROUP (ORDER BY lag)::float8 AS "p50", percentile_cont(0.99) WITHIN GROUP (ORDER BY lag)::float8 AS "p99",
       max(lag)::float8 AS "most", count(*) FILTER (WHERE status = 'unknown')::int AS unknown, count(*) FILTER (WHERE status = 'down')::int AS down
     FROM (SELECT status, extract(epoch FROM checked_at - scheduled_at) * 1000 AS lag FROM checks
       WHERE monitor_id = ANY($1::uuid[]) AND attempt = 0 AND checked_at > $2) AS bystanders`,
    [scene.monitorIds, from],
  );
  const gaps = await scene.cluster.query<{ p99: number; most: number }>(
    `SELECT percentile_cont(0.99) WITHIN GROUP (ORDER BY gap)::float8 AS p99, max(gap)::float8 AS most FROM (
       SELECT extract(epoch FROM checked_at - lag(checked_at) OVER (PARTITION BY monitor_id ORDER BY checked_at)) * 1000 AS gap
       FROM checks WHERE monitor_id = ANY($1::uuid[]) AND attempt = 0 AND checked_at > $2) AS bystanders`,
    [scene.monitorIds, from],
  );
  const tenth = Math.max(1, Math.floor(memory.length / 10));
  say(
    JSON.stringify(
      {
        checks: lag[0],
        gapsMs: gaps[0],
        missedSlots: await metric('daywatch_slots_missed_total'),
        replacedThreads: await metric('daywatch_probe_threads_replaced_total'),
        reads: { count: readMs.length, p50Ms: percentile(readMs, 0.5), p99Ms: percentile(readMs, 0.99), readStatuses },
        healthMs: { p50: percentile(healthMs, 0.5), most: Math.max(...healthMs) },
        memoryMib: {
          first: percentile(memory.slice(0, tenth), 0.5),
          last: percentile(memory.slice(-tenth), 0.5),
          most: Math.max(...memory),
        },
        latestDuringMs: await latestDuring(),
        attacks: statuses,
      },
      null,
      2,
    ),
  );
} finally {
  isOver = true;
  await watch.close();
  await hostile.close();
  await scene.close();
}
