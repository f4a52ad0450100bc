import { parentPort, workerData } from 'node:worker_threads';
import { type Orders, type ThreadStart } from '../../src/probes/thread/messages.js';
import { Pulse } from '../../src/probes/thread/pulse.js';
// Begins to listen first: what is under way has begun before the thread stands still.
import '../../src/probes/thread/probe-thread.entry.js';

/** The program of a probe thread that never comes back from a check whose definition holds the word "endless". */
const pulse = new Pulse((workerData as ThreadStart).pulse);
const endless = new Set<number>();

parentPort!.on('message', ({ plans, jobs }: Orders) => {
  for (const { plan, fields } of plans) if (fields.includes('endless')) endless.add(plan);
  for (let at = 0; at < jobs.length; at += 2) {
    if (endless.has(jobs[at + 1]!))
      pulse.during(jobs[at]!, () => {
        for (;;);
      });
  }
});
