import { parentPort, workerData } from 'node:worker_threads';
import { type Orders, type ThreadStart } from '../../src/probes/thread/messages.js';
import { Pulse } from '../../src/probes/thread/pulse.js';
// Imported first, so that its listener starts the checks before the one below blocks the thread.
import '../../src/probes/thread/probe-thread.entry.js';

/** A probe thread that blocks forever in a check whose definition contains the word "endless". */
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
