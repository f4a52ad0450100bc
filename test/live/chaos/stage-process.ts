/**
 * A process with the targets of a run; in the process of the run, they would respond late while that is busy. Its
 * argument is the number of targets that are ports; they come first. It answers each message with what it knows.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Dice } from '../../fuzz/dice.js';
import { startSwitchable, type Switchable } from '../../support/switchable.js';
import { Stage } from '../actor.js';
import { type Stretch } from '../timetable.js';
import { type StageReport, type Timetables } from './stage.js';

const BEAT_MS = 50;
/** A delay of this process that a check could notice. */
const STALL_MS = 400;

const stage = new Stage(new Dice(1, 1));
const ports: Switchable[] = [];
const stalls: StageReport['stalls'] = [];
await stage.open();
for (let index = 0; index < Number(process.argv[2]); index += 1) ports.push(await startSwitchable());
watch();

process.on('message', (timetables: Timetables) => {
  for (const [target, stretches] of timetables.entries()) {
    void stage.play(target, stretches);
    const port = ports[target];
    if (port) void playPort(port, stretches);
  }
  const report: StageReport = {
    urls: stage.url(0).slice(0, -1),
    ports: ports.map(({ port }) => port),
    played: stage.played,
    stalls,
  };
  process.send!(report);
});
process.on('disconnect', () => process.exit(0));

/** Closes a port while its target is down. */
async function playPort(port: Switchable, stretches: readonly Stretch[]): Promise<void> {
  let isUp = true;
  for (const { mode, forMs } of [...stretches, { mode: 'up', forMs: 0 } as const]) {
    if ((mode !== 'down') !== isUp) await (isUp ? port.down() : port.up());
    isUp = mode !== 'down';
    await delay(forMs);
  }
}

function watch(): void {
  let last = Date.now();
  setInterval(() => {
    const now = Date.now();
    if (now - last > BEAT_MS + STALL_MS) stalls.push({ from: last, to: now });
    last = now;
  }, BEAT_MS);
}
