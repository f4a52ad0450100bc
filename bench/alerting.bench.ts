import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { BenchChild } from './child.js';
import { cpuUs, residentMib } from './cpu.js';
import { type ReceivedMessage } from './outage-server.js';
import { giveAway, Scene } from './scene.js';
import { keep, printTable, rounded } from './table.js';

const WARM_UP_MS = 15_000;
const SAMPLE_MS = 1_000;
const SETTLED_WITHIN_MS = 900_000;

type Figures = Record<string, number>;

/** What goes down, and beside what. */
interface AlertingOptions {
  /** Monitors that go down. */
  outages: number;
  outagesPerSecond: number;
  intervalSeconds: number;
  /** Monitors of the same team that stay up. */
  healthy: number;
  /** Monitors of another team, checked every second. */
  bystanders: number;
  /** Names of the channels; the type follows from the first word, and `dead` and `slow` webhooks behave accordingly. */
  channels: string[];
}

/**
 * Makes monitors go down, and measures the time from the commit of each incident to the first byte at the receivers,
 * messages by channel, CPU and memory, and the delay of another team's checks.
 */
export async function benchAlerting(args: string[]): Promise<void> {
  const options = optionsOf(args);
  const { outages, outagesPerSecond, intervalSeconds, healthy, bystanders } = options;
  const server = await BenchChild.start('outage-server.js', []);
  const origin = `http://127.0.0.1:${server.ready}`;
  const scene = await Scene.open({ ALLOW_PRIVATE_CHANNELS: 'true', MAX_MONITORS_PER_TEAM: '100000' });
  await scene.start();
  const body = { type: 'http', url: `${origin}/monitors/`, failureThreshold: 1 };
  const ids = await scene.fill([{ body, count: outages + healthy }], intervalSeconds);
  if (bystanders > 0) {
    await scene.start();
    await giveAway(scene, await scene.fill([{ body, count: bystanders }], 1));
  }
  const { pid } = await scene.start();
  await subscribe(scene, origin, options.channels);
  await scene.untilScheduled(outages + healthy + bystanders);
  await delay(WARM_UP_MS);
  const quietMemory = (await residentMib(pid)).now;
  const before = await lagSince(scene, new Date(Date.now() - WARM_UP_MS / 2));
  const from = new Date();
  const cpu = { service: await cpuUs(pid), database: await cpuUs(scene.databasePid) };
  const failing = { ids: ids.slice(0, outages), perSecond: outagesPerSecond };
  await fetch(`${origin}/fail`, { method: 'POST', body: JSON.stringify(failing) });
  const { settledMs, memory } = await untilSettled(scene, pid, from, options);
  const during = await lagSince(scene, from);
  const received = (await (await fetch(`${origin}/received`)).json()) as ReceivedMessage[];
  const rows = await byChannel(scene, received, options);
  const figures: Figures = {
    'settled s': rounded(settledMs / 1_000),
    messages: received.length,
    'service CPU s': rounded(((await cpuUs(pid)) - cpu.service) / 1e6),
    'database CPU s': rounded(((await cpuUs(scene.databasePid)) - cpu.database) / 1e6),
    'MiB before': Math.round(quietMemory),
    'MiB most': Math.round(memory),
  };
  await scene.stop();
  printTable(rows, ['messages', 'p50 ms', 'p99 ms', 'max ms', 'last s']);
  printTable(new Map([['all', figures]]), Object.keys(figures));
  const lags = new Map([['before', before], ['during', during]].flatMap(([name, one]) => (one ? [[name as string, one as Figures]] : []))); // prettier-ignore
  printTable(lags, ['checks', 'p50 ms', 'p99 ms', 'max ms', 'p99 of the worst 5 s']);
  await keep('alerting', { options, figures, channels: Object.fromEntries(rows), before, during });
}

function optionsOf(args: string[]): AlertingOptions {
  const { values } = parseArgs({
    args,
    options: {
      outages: { type: 'string', default: '1000' },
      'per-second': { type: 'string', default: '20' },
      interval: { type: 'string', default: '1' },
      healthy: { type: 'string', default: '0' },
      bystanders: { type: 'string', default: '0' },
      channels: { type: 'string', default: 'webhook' },
    },
  });
  return {
    outages: Number(values.outages),
    outagesPerSecond: Number(values['per-second']),
    intervalSeconds: Number(values.interval),
    healthy: Number(values.healthy),
    bystanders: Number(values.bystanders),
    channels: values.channels.split(','),
  };
}

/** Creates the channels, and a policy that notifies all of them of every outage. */
async function subscribe({ service }: Scene, origin: string, channels: readonly string[]): Promise<void> {
  for (const name of channels) {
    const url = name.startsWith('dead') ? 'http://127.0.0.1:9/' : `${origin}/channels/${name}`;
    const type = ['slack', 'pagerduty'].find((one) => name.startsWith(one)) ?? 'webhook';
    const settings = type === 'pagerduty' ? { routingKey: '0123456789abcdef'.repeat(2), apiUrl: url } : { url };
    await put(service!, `/v1/notification-channels/key:${name}`, { name, type, settings });
  }
  const steps = [{ afterSeconds: 0, channelIds: channels.map((name) => `key:${name}`) }];
  const policy = { name: 'Everything', match: { all: true }, on: ['down'], steps };
  await put(service!, '/v1/notification-policies/key:everything', policy);
}

async function put(service: NonNullable<Scene['service']>, path: string, body: object): Promise<void> {
  const answer = await service.call('PUT', path, body);
  if (answer.status !== 201) throw new Error(`${path} was rejected: ${JSON.stringify(answer.body)}`);
}

/** Waits until every outage is an incident whose notifications are sent, except those of dead channels. */
async function untilSettled({ client }: Scene, pid: number, from: Date, { outages, channels }: AlertingOptions) {
  const since = performance.now();
  const expected = outages * channels.filter((name) => !name.startsWith('dead')).length;
  let memory = 0;
  for (;;) {
    await delay(SAMPLE_MS);
    memory = Math.max(memory, (await residentMib(pid)).now);
    const { rows } = await client.query<{ incidents: number; settled: number; last: Date | null }>(
      `SELECT (SELECT count(*)::int FROM incidents WHERE created_at >= $1) AS incidents,
              count(*) FILTER (WHERE status = 'sent' OR reason = 'collected')::int AS settled, max(sent_at) AS last
       FROM notifications WHERE created_at >= $1`,
      [from],
    );
    const { incidents, settled, last } = rows[0]!;
    if (incidents >= outages && settled >= expected) return { settledMs: last!.getTime() - from.getTime(), memory };
    if (performance.now() - since > SETTLED_WITHIN_MS) {
      throw new Error(`${incidents} of ${outages} incidents, ${settled} of ${expected} notifications settled`);
    }
  }
}

/** Returns, for each channel, its messages and their delays since the transaction of the incident began. */
async function byChannel({ client }: Scene, received: readonly ReceivedMessage[], { channels }: AlertingOptions) {
  const { rows } = await client.query<{ id: string; at: Date }>(
    `SELECT resource_id AS id, recorded_at AS at FROM events WHERE type = 'incident.opened'`,
  );
  const opened = new Map(rows.map(({ id, at }) => [id, at.getTime()]));
  const start = Math.min(...opened.values());
  return new Map(
    channels.map((name) => {
      const own = received.filter(({ channel }) => channel === name);
      const delays = own
        .flatMap(({ at, alertKey }) => at - (opened.get(alertKey?.split('/')[0] ?? '') ?? NaN))
        .filter((ms) => !Number.isNaN(ms))
        .sort((a, b) => a - b);
      const rank = (share: number): number => delays[Math.ceil(share * delays.length) - 1] ?? NaN;
      const last = (Math.max(...own.map(({ at }) => at)) - start) / 1_000;
      return [name, { messages: own.length, p50: rank(0.5), p99: rank(0.99), max: rank(1), last: rounded(last) }];
    }),
  );
}

/** Returns how late the checks of the other team were, in all and in the worst five seconds; `null` without checks. */
async function lagSince({ client }: Scene, from: Date): Promise<Figures | null> {
  const { rows } = await client.query<Figures>(
    `SELECT count(*)::int AS checks, round(percentile_disc(0.5) WITHIN GROUP (ORDER BY lag))::int AS p50,
            round(percentile_disc(0.99) WITHIN GROUP (ORDER BY lag))::int AS p99, round(max(lag))::int AS max
     FROM (SELECT extract(epoch FROM c.checked_at - c.scheduled_at)::float8 * 1000 AS lag,
                  floor(extract(epoch FROM c.scheduled_at - $1) / 5) AS part
           FROM checks c JOIN monitors m ON m.id = c.monitor_id JOIN teams t ON t.id = m.team_id
           WHERE t.name = 'Small' AND c.scheduled_at >= $1 AND c.attempt = 0) AS lags
     GROUP BY ROLLUP (part) ORDER BY part NULLS FIRST`,
    [from],
  );
  const [all, ...parts] = rows;
  return all!.checks! > 0 ? { ...all, worst: Math.max(...parts.map(({ p99 }) => p99!)) } : null;
}
