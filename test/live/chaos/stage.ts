import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Dice } from '../../fuzz/dice.js';
import { type Played } from '../actor.js';
import { type Blind } from '../judge.js';
import { type Stretch, timetable } from '../timetable.js';

/** By target. */
export type Timetables = readonly (readonly Stretch[])[];

export interface StageReport {
  /** The URL of a target is this and its number. */
  urls: string;
  /** Of the targets that are ports, which come first. */
  ports: number[];
  /** The true states of each target that has a timetable. */
  played: Played[][];
  /** Times in which the targets could respond late, because the machine was busy. */
  stalls: Blind[];
}

/** The targets of a run, in a process of their own. */
export class StageProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly opened: StageReport,
  ) {}

  static async start(ports: number): Promise<StageProcess> {
    const child = fork(fileURLToPath(new URL('./stage-process.js', import.meta.url)), [String(ports)]);
    return new StageProcess(child, await ask(child, []));
  }

  async play(timetables: Timetables): Promise<void> {
    await ask(this.child, timetables);
  }

  report(): Promise<StageReport> {
    return ask(this.child, []);
  }

  async close(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.disconnect();
    await ended;
  }
}

/** Draws a timetable without random failures, so that each check has one correct outcome. */
export function strictTimetable(dice: Dice, lengthMs: number): Stretch[] {
  return timetable(dice, lengthMs).map((one) => (one.mode === 'lossy' ? { ...one, mode: 'up' } : one));
}

async function ask(child: ChildProcess, timetables: Timetables): Promise<StageReport> {
  const answer = once(child, 'message');
  child.send(timetables);
  // `Infinity` becomes null on its way.
  const [report] = (await answer) as [StageReport];
  for (const one of report.played.flat()) one.to ??= Infinity;
  return report;
}
