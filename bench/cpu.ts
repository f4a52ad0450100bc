import { readdir, readFile } from 'node:fs/promises';

/** Of `/proc/<pid>/stat`: USER_HZ is 100 on every Linux that Node runs on. */
const TICK_US = 10_000;

/** Microseconds of CPU that a process and all below it have used so far. */
export async function cpuUs(rootPid: number): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const processes = (await Promise.all(pids.map(stat))).flatMap((one) => one ?? []);
  const below = (pid: number): number =>
    processes.filter(({ parent }) => parent === pid).reduce((sum, child) => sum + child.us + below(child.pid), 0);
  return (processes.find(({ pid }) => pid === rootPid)?.us ?? 0) + below(rootPid);
}

async function stat(name: string): Promise<{ pid: number; parent: number; us: number } | null> {
  try {
    const text = await readFile(`/proc/${name}/stat`, 'utf8');
    // The name of the command stands in parentheses and may hold anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    // User and system time, and those of children that have ended: connections of the database come and go.
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { pid: Number(name), parent: Number(fields[1]), us: ticks * TICK_US };
  } catch {
    return null; // It has ended meanwhile.
  }
}
