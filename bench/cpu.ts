import { readdir, readFile } from 'node:fs/promises';

/** Length of a tick in `/proc/<pid>/stat`: USER_HZ is 100 on every Linux that Node runs on. */
const TICK_US = 10_000;

/** Microseconds of CPU time that a process and all its descendants have used so far. */
export async function cpuUs(rootPid: number): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const processes = (await Promise.all(pids.map((pid) => stat(`/proc/${pid}`)))).flatMap((one) => one ?? []);
  const below = (pid: number): number =>
    processes.filter(({ parent }) => parent === pid).reduce((sum, child) => sum + child.us + below(child.id), 0);
  return (processes.find(({ id }) => id === rootPid)?.us ?? 0) + below(rootPid);
}

/** Microseconds of CPU time by thread name; the first thread is `main`. Threads that have ended are not included. */
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

/** The parent process of `pid`. */
export async function parentOf(pid: number): Promise<number> {
  return (await stat(`/proc/${pid}`))!.parent;
}

/** Current and peak resident memory, in MiB. */
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
    // The command name is in parentheses and may contain any character.
    const end = text.lastIndexOf(')');
    const fields = text.slice(end + 2).split(' ');
    // User and system time, including ended children: processes of database connections come and go.
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    const name = text.slice(text.indexOf('(') + 1, end);
    return { id: Number.parseInt(text, 10), parent: Number(fields[1]), name, us: ticks * TICK_US };
  } catch {
    return null; // The process has ended in the meantime.
  }
}
