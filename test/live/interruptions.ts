import { Agent, request } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../support/eventually.js';
import { OwnCluster } from '../support/own-cluster.js';
import { ServiceProcess } from '../support/service.js';
import { startSteadyTarget } from '../support/steady-target.js';
import { OutageScene } from './outage.js';

const SETTLE_MS = 3_000;

/** The requests of a client with its own connection while the service was stopped. */
interface ClientTally {
  answered: number;
  /** Requests that failed on an open connection: the service may have started them. */
  reset: number;
  /** Requests that were not sent, because no connection could be opened. */
  refused: number;
}

/** Sends one request after the other on a persistent connection until `signal` aborts. */
async function keepAsking(url: string, key: string, signal: AbortSignal, tally: ClientTally): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (): Promise<void> =>
    new Promise((resolve) => {
      let isConnected = false;
      const call = request(url, { agent, headers: { authorization: `Bearer ${key}` } }, (answer) => {
        answer.once('end', () => {
          tally.answered += 1;
          resolve();
        });
        answer.once('error', () => {
          tally.reset += 1;
          resolve();
        });
        answer.resume();
      });
      call.once('socket', (socket) => {
        if (socket.connecting) socket.once('connect', () => (isConnected = true));
        else isConnected = true;
      });
      call.once('error', () => {
        if (isConnected) tally.reset += 1;
        else tally.refused += 1;
        resolve();
      });
      call.end();
    });
  while (!signal.aborted) {
    const refusedBefore = tally.refused;
    await ask();
    if (tally.refused > refusedBefore) await delay(20);
  }
  agent.destroy();
}

export interface StopRound {
  seconds: number;
  answered: number;
  reset: number;
  unknownSeconds: number;
}

/** Stops and restarts the service `rounds` times with `clients` busy clients and 300 checks per second. */
export async function stops(rounds: number, clients: number, say: (line: string) => void): Promise<StopRound[]> {
  const scene = await OutageScene.open(600);
  const outcome: StopRound[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      await delay(SETTLE_MS);
      const { origin, key } = scene.running;
      const tally: ClientTally = { answered: 0, reset: 0, refused: 0 };
      const stopping = new AbortController();
      const asking = Array.from({ length: clients }, (_, index) =>
        keepAsking(`${origin}/v1/monitors?limit=${index + 10}`, key, stopping.signal, tally),
      );
      await eventually(() => {
        if (tally.answered < 50 * clients) throw new Error('the clients are not busy yet');
      });
      const from = performance.now();
      const code = await scene.running.end('SIGTERM');
      const seconds = (performance.now() - from) / 1_000;
      stopping.abort();
      await Promise.all(asking);
      if (code !== 0) throw new Error(`the service ended with ${code}`);
      const endedAt = new Date();
      await scene.restart();
      const unknownSeconds = await scene.unknownSecondsSince(endedAt);
      outcome.push({ seconds, answered: tally.answered, reset: tally.reset, unknownSeconds });
      say(
        `stop ${round + 1}: ${seconds.toFixed(2)} s, ${tally.answered} responses, ${tally.reset} resets, ${unknownSeconds.toFixed(1)} s unknown`,
      );
    }
    await scene.end();
    say(JSON.stringify(await scene.count()));
    return outcome;
  } finally {
    await scene.close();
  }
}

export interface TakeoverRound {
  /** From the kill of the dispatcher to the first check that the other process runs. */
  seconds: number;
}

/** Kills the dispatching one of two processes `rounds` times. Then suspends the dispatching one and resumes it. */
export async function takeovers(rounds: number, say: (line: string) => void): Promise<TakeoverRound[]> {
  const cluster = await OwnCluster.make();
  const dataDir = await mkdtemp(join(tmpdir(), 'daywatch-takeover-'));
  const target = await startSteadyTarget();
  const settings = {
    DATABASE_URL: cluster.url,
    SECRET_KEY: 'k'.repeat(40),
    DATABASE_POOL: '4',
    ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
    MIN_INTERVAL_SECONDS: '1',
  };
  const outcome: TakeoverRound[] = [];
  let [holder, standBy] = [
    await ServiceProcess.start(dataDir, settings),
    await ServiceProcess.start(dataDir, settings),
  ];
  const newestCheck = async (): Promise<number> =>
    (await cluster.query<{ at: Date | null }>('SELECT max(checked_at) AS at FROM checks'))[0]!.at?.getTime() ?? 0;
  const epoch = async (): Promise<number> =>
    (await cluster.query<{ epoch: number }>('SELECT epoch FROM leases'))[0]!.epoch;
  const goesOnAfter = (time: number): Promise<number> =>
    eventually(async () => {
      const newest = await newestCheck();
      if (newest <= time) throw new Error('no new check');
      return newest;
    }, 60_000);
  try {
    for (let index = 0; index < 20; index += 1) {
      await holder.call('POST', '/v1/monitors', {
        name: `Target ${index}`,
        type: 'http',
        url: target.url,
        intervalSeconds: 1,
        timeoutMs: 1_000,
      });
    }
    await goesOnAfter(Date.now());
    for (let round = 0; round < rounds; round += 1) {
      await delay(SETTLE_MS);
      const before = await epoch();
      await holder.end('SIGKILL');
      const killedAt = Date.now();
      await eventually(async () => {
        if ((await epoch()) === before) throw new Error('the lease has not been taken over');
      }, 60_000);
      const since = await cluster.query<{ at: Date }>(
        `SELECT max(ends_at) AS at FROM spans WHERE kind = 'absence' AND ends_at > $1`,
        [new Date(killedAt)],
      );
      const first = await goesOnAfter(Math.max(killedAt, since[0]?.at?.getTime() ?? 0));
      outcome.push({ seconds: (first - killedAt) / 1_000 });
      say(`takeover ${round + 1}: ${((first - killedAt) / 1_000).toFixed(2)} s`);
      [holder, standBy] = [standBy, await ServiceProcess.start(dataDir, settings)];
    }
    const absencesBefore = await absences(cluster);
    const before = await epoch();
    holder.signal('SIGSTOP');
    const stoppedAt = Date.now();
    await eventually(async () => {
      if ((await epoch()) === before) throw new Error('the lease has not been taken over');
    }, 60_000);
    await delay(10_000);
    holder.signal('SIGCONT');
    const wentOnAt = Date.now();
    await delay(10_000);
    const found = (await absences(cluster)).slice(absencesBefore.length);
    say(`suspended for ${wentOnAt - stoppedAt} ms; absences: ${JSON.stringify(found)}`);
    for (const absence of found) {
      const [row] = await cluster.query<{ n: number }>(
        'SELECT count(*)::int AS n FROM checks WHERE attempt = 0 AND checked_at > $1 AND checked_at < $2',
        [new Date(absence.from + 1_000), new Date(absence.to)],
      );
      say(`checks inside the absence of ${absence.to - absence.from} ms: ${row!.n}`);
    }
    const [uptime] = await cluster.query<{ twice: number; down: number }>(
      `SELECT (SELECT count(*)::int FROM (SELECT 1 FROM checks WHERE attempt = 0
         GROUP BY monitor_id, scheduled_at, location HAVING count(*) > 1) t) AS twice,
         (SELECT count(*)::int FROM transitions WHERE to_status = 'down') AS down`,
    );
    say(`slots recorded twice: ${uptime!.twice}; false down: ${uptime!.down}`);
    return outcome;
  } finally {
    holder.signal('SIGCONT');
    await Promise.all([holder.end('SIGKILL'), standBy.end('SIGKILL')]);
    await target.close();
    await cluster.remove();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function absences(cluster: OwnCluster): Promise<{ from: number; to: number }[]> {
  const rows = await cluster.query<{ starts_at: Date; ends_at: Date }>(
    `SELECT starts_at, ends_at FROM spans WHERE kind = 'absence' ORDER BY starts_at, ends_at`,
  );
  return rows.map((row) => ({ from: row.starts_at.getTime(), to: row.ends_at.getTime() }));
}

/** Kills the database `rounds` times with `writers` writers. Returns the number of responses by status. */
export async function kills(rounds: number, writers: number, say: (line: string) => void) {
  const scene = await OutageScene.open(50);
  const { cluster } = scene;
  const answers: Record<string, number> = {};
  let isOver = false;
  const write = async (writer: number): Promise<void> => {
    for (let time = 0; !isOver; time += 1) {
      const key = `writer-${writer}-${time % 20}`;
      const definition = { name: key, type: 'http', url: `https://example.com/${time}`, paused: true };
      const answer = await scene.running.call('PUT', `/v1/monitors/key:${key}`, definition).then(
        ({ status, body }) => (status >= 500 && status !== 503 ? `${status} ${JSON.stringify(body)}` : `${status}`),
        (error: Error) => (error.cause instanceof Error ? error.cause : error).message,
      );
      answers[answer] = (answers[answer] ?? 0) + 1;
    }
  };
  const writing = Array.from({ length: writers }, (_, writer) => write(writer));
  try {
    for (let round = 0; round < rounds; round += 1) {
      await delay(1_000 + Math.random() * 1_000);
      await cluster.kill();
      await delay(500 + Math.random() * 1_000);
      await cluster.start();
      await eventually(async () => {
        const { status } = await scene.running.call('GET', '/v1/monitors');
        if (status !== 200) throw new Error(`still ${status}`);
      }, 60_000);
      say(`kill ${round + 1}: ${JSON.stringify(answers)}`);
    }
    isOver = true;
    await Promise.all(writing);
    return answers;
  } finally {
    isOver = true;
    await Promise.all(writing);
    await scene.close();
  }
}
