import { readdir, readFile } from 'node:fs/promises';

/** Of `/proc/<pid>/stat`: USER_HZ is 100 on every Linux that Node runs on. */
const TICK_US = 10_000;

/** Microseconds of CPU that a process and all below it have used so far. */
export async function cpuUs(rootPid: number): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const processes = (await Promise.all(pids.map((pid) => stat(`/proc/${pid}`)))).flatMap((one) => one ?? []);
  const below = (pid: number): number =>
    processes.filter(({ parent }) => parent === pid).reduce((sum, child) => sum + child.us + below(child.id), 0);
  return (processes.find(({ id }) => id === rootPid)?.us ?? 0) + below(rootPid);
}

/** Microseconds of CPU by the name of the thread; the first thread is `main`. Threads that have ended are missing. */
export async function threadsUs(pid: number): Promise<Map<string, number>> {
  const sums = new Map<string, number>();
  for (const tid of await readdir(`/proc/${pid}/task`)) {
    const found = await stat(`/proc/${pid}/task/${tid}`);
    if (!found) continue;
    const name = found.id === pid ? 'main' : found.name;
    sums.set(name, (sums.get(name) ?? 0) + found.us);
  }
  return sums;
}

/** The process that started this one. */
export async function parentOf(pid: number): Promise<number> {
  return (await stat(`/proc/${pid}`))!.parent;
}

/** Resident memory now, and its highest so far, in MiB. */
export async function residentMib(pid: number): Promise<{ now: number; highest: number }> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8');
  const field = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(text)?.[1] ?? 0) / 1_024;
  return { now: field('VmRSS'), highest: field('VmHWM') };
}

interface Stat {
  id: number;
  parent: number;
  name: string;
  us: number;
}

async function stat(path: string): Promise<Stat | null> {
  try {
    const text = await readFile(`${path}/stat`, 'utf8');
    // The name of the command stands in parentheses and may hold anything.
    const end = text.lastIndexOf(')');
    const fields = text.slice(end + 2).split(' ');
    // User and system time, and those of children that have ended: connections of the database come and go.
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    const name = text.slice(text.indexOf('(') + 1, end);
    return { id: Number.parseInt(text, 10), parent: Number(fields[1]), name, us: ticks * TICK_US };
  } catch {
    return null; // It has ended meanwhile.
  }
}
