/** Milliseconds of CPU that this process has used: unlike the clock, it does not run while others have the machine. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
