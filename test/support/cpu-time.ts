/**
 * Returns the CPU time of this process in milliseconds. Unlike the clock, it stands still while other processes run.
 */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

const RUNS = 3;

/**
 * Returns the CPU time of some work in milliseconds: the least of three runs, because compilation, garbage collection and
 * other processes on the same core only add to it.
 */
export function leastCpuMs(work: () => void): number {
  return Math.min(
    ...Array.from({ length: RUNS }, () => {
      const from = cpuMs();
      work();
      return cpuMs() - from;
    }),
  );
}
