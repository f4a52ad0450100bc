import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../support/eventually.js';
import { OwnCluster } from '../support/own-cluster.js';
import { ServiceProcess } from '../support/service.js';

export type Killed = 'service' | 'database';

/** How the reports that were stored differ from those that were acknowledged. */
export interface ReportsReport {
  acknowledged: number;
  /** Reports that were sent and not acknowledged, by what happened. */
  others: Record<string, number>;
  /** Acknowledged reports that are not stored. */
  lost: number;
  /** Reports that are stored more than once. */
  doubled: number;
}

const SENDERS = 16;
const MONITORS_OF_SENDER = 8;
const SETTLED_WITHIN_MS = 300_000;

/**
 * Kills the service or its database `rounds` times while jobs report as fast as they are answered, and compares what is
 * stored with what was acknowledged. Each report has a number as its body.
 */
export async function reports(rounds: number, what: Killed, say: (line: string) => void): Promise<ReportsReport> {
  const cluster = await OwnCluster.make();
  const dataDir = await mkdtemp(join(tmpdir(), 'daywatch-reports-'));
  const start = () => ServiceProcess.start(dataDir, { DATABASE_URL: cluster.url, SECRET_KEY: 'k'.repeat(40) });
  let service = await start();
  const acknowledged = new Set<string>();
  const others: Record<string, number> = {};
  let [isOver, sent] = [false, 0];

  const send = async (paths: readonly string[]): Promise<void> => {
    for (let turn = 0; !isOver; turn += 1) {
      const number = String((sent += 1));
      // Each report of a monitor is of another kind than the one before, so that no limit applies.
      const path = `${paths[turn % paths.length]}${Math.floor(turn / paths.length) % 2 === 0 ? '' : '/log'}`;
      const answer = await fetch(service.origin + path, { method: 'POST', body: number }).then(
        async (response) => `${response.status} ${await response.text()}`,
        (error: Error) => (error.cause instanceof Error ? error.cause : error).message.replace(/[\d.:]{9,}/, '…'),
      );
      if (answer === '200 OK') acknowledged.add(number);
      else {
        others[answer] = (others[answer] ?? 0) + 1;
        await delay(20);
      }
    }
  };

  let sending: Promise<void>[] = [];
  try {
    const paths: string[] = [];
    for (let index = 0; index < SENDERS * MONITORS_OF_SENDER; index += 1) {
      const { body } = await service.call<{ pingUrl: string }>('POST', '/v1/monitors', {
        name: `Job ${index}`,
        type: 'heartbeat',
        settings: { schedule: { everySeconds: 31_536_000 } },
      });
      paths.push(new URL(body.pingUrl).pathname);
    }
    sending = Array.from({ length: SENDERS }, (_, index) =>
      send(paths.slice(index * MONITORS_OF_SENDER, (index + 1) * MONITORS_OF_SENDER)),
    );
    for (let round = 1; round <= rounds; round += 1) {
      const before = acknowledged.size;
      await eventually(() => {
        if (acknowledged.size < before + 500) throw new Error('few reports are acknowledged');
      }, 60_000);
      await delay(Math.random() * 500);
      if (what === 'database') {
        await cluster.kill();
        await delay(Math.random() * 1_000);
        await cluster.start();
      } else {
        await service.end('SIGKILL');
        service = await start();
      }
      say(`kill ${round}: ${acknowledged.size} acknowledged, otherwise ${JSON.stringify(others)}`);
    }
    isOver = true;
    await Promise.all(sending);
    const compare = async (): Promise<ReportsReport> => {
      const rows = await cluster.query<{ body: string; count: number }>(
        'SELECT body, count(*)::int FROM pings GROUP BY body',
      );
      const stored = new Set(rows.map(({ body }) => body));
      return {
        acknowledged: acknowledged.size,
        others,
        lost: [...acknowledged].filter((number) => !stored.has(number)).length,
        doubled: rows.filter(({ count }) => count > 1).length,
      };
    };
    // Reports that were accepted without the database wait on disk.
    await eventually(async () => {
      const { lost } = await compare();
      if (lost > 0) throw new Error(`${lost} acknowledged reports are not stored`);
    }, SETTLED_WITHIN_MS).catch((error: Error) => say(error.message));
    return await compare();
  } finally {
    isOver = true;
    await Promise.allSettled(sending);
    await service.end('SIGKILL');
    await cluster.remove();
    await rm(dataDir, { recursive: true, force: true });
  }
}
