import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { EmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.js';
import { migrate } from '../../src/database/migrate.js';
import { confirmationBound } from './judge.js';
import { type Fault, live } from './run.js';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '8' },
    monitors: { type: 'string', default: '50' },
    interval: { type: 'string', default: '5' },
    faults: { type: 'string', default: 'network,database,kill,stop' },
  },
});
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const dataDir = await mkdtemp(join(tmpdir(), 'daywatch-live-database-'));
// If run by root, the server's user must be able to traverse the directory.
await chmod(dataDir, 0o711);
const database = await EmbeddedPostgres.start({ dataDir });
try {
  await migrate(database.url);
  const intervalSeconds = Number(values.interval);
  const judgement = await live({
    databaseUrl: database.url,
    seed: Number(values.seed),
    minutes: Number(values.minutes),
    say,
    monitors: Number(values.monitors),
    intervalSeconds,
    faults: values.faults === '' ? [] : (values.faults.split(',') as Fault[]),
  });
  const { outages, detected, excused, falseDown, lossConfirmed, findings } = judgement;
  say(
    `outages ${outages}: detected ${detected}, too short or not observable ${excused}; falsely down ${falseDown}; down by random failures ${lossConfirmed}`,
  );
  const row = (name: string, list: readonly number[]): void => {
    const sorted = [...list].sort((a, b) => a - b);
    const at = (share: number): string => ((sorted[Math.floor(share * (sorted.length - 1))] ?? NaN) / 1_000).toFixed(2);
    say(
      `${name.padEnd(36)} n ${String(sorted.length).padStart(4)}  min ${at(0)} s  median ${at(0.5)} s  worst ${at(1)} s`,
    );
  };
  row('delay of the reported start', judgement.startErrorsMs);
  row('delay of the reported end', judgement.endErrorsMs);
  row('from failure to confirming check', judgement.confirmationMs);
  row('from failure to incident', judgement.incidentMs);
  const bound = confirmationBound({
    intervalMs: intervalSeconds * 1_000,
    retryMs: Math.max(1_000, Math.floor((intervalSeconds * 1_000) / 3)),
    timeoutMs: 2_000,
    graceMs: 0,
  });
  say(`bound of the confirming check: ${bound / 1_000} s (interval, one timeout, one retry interval)`);
  for (const { monitor, what } of findings.slice(0, 30)) say(`target ${monitor}: ${what}`);
  say(`${findings.length} findings`);
  process.exitCode = findings.length > 0 ? 1 : 0;
} finally {
  await database.stop();
  await rm(dataDir, { recursive: true, force: true });
}
