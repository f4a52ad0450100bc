import { parseArgs } from 'node:util';
import { OutageScene } from './outage.js';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '120' }, rate: { type: 'string', default: '500' } },
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Each monitor is checked every 2 seconds. */
const scene = await OutageScene.open(2 * Number(values.rate));
try {
  const { cluster } = scene;
  say(`${values.rate} results per second; the database is killed, and restarted after ${values.seconds} s`);
  const report = await scene.absence(
    Number(values.seconds) * 1_000,
    { gone: () => cluster.kill(), back: () => cluster.start() },
    say,
  );
  say(JSON.stringify(report, null, 2));
  const { lost, surplus, miscounted, falseDown, falseIncidents, servedAgainMs, recordedAgainMs } = report;
  const wrong = lost + surplus + miscounted + falseDown + falseIncidents;
  process.exitCode = wrong > 0 || servedAgainMs > 10_000 || recordedAgainMs > 10_000 ? 1 : 0;
} catch (error) {
  say(scene.running.log);
  throw error;
} finally {
  await scene.close();
}
