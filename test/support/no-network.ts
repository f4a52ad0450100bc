import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { type ProbeOutcome } from '../../src/domain/check-result.js';

const run = promisify(execFile);

/** Whether a process can run in its own network namespace, which takes Linux, root, `unshare` and `ip`. */
export const CAN_UNSHARE = ((): boolean => {
  try {
    execFileSync('unshare', ['-n', 'ip', 'link', 'set', 'lo', 'up'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/**
 * Runs checks, each a type and its fields, in a process whose network has only a loopback interface, after the commands
 * of `setUp`. Returns one outcome per check.
 */
export async function probeWithoutNetwork(
  checks: readonly (readonly [type: string, fields: object])[],
  setUp: readonly string[] = ['ip link set lo up'],
): Promise<ProbeOutcome[]> {
  const modules = Object.fromEntries(
    ['index', 'run-check', 'net/egress', 'net/name-resolver'].map((name) => [
      name,
      new URL(`../../src/probes/${name}.js`, import.meta.url).href,
    ]),
  );
  const script = `
    const { probeOf } = await import(${JSON.stringify(modules.index)});
    const { runProbe } = await import(${JSON.stringify(modules['run-check'])});
    const { Egress } = await import(${JSON.stringify(modules['net/egress'])});
    const { DnsResolver } = await import(${JSON.stringify(modules['net/name-resolver'])});
    const policy = { allows: () => true, refusesHost: () => false };
    const resolver = new DnsResolver({ servers: ['192.0.2.53', '[2001:db8::53]:5353'] });
    const egress = new Egress(policy, resolver);
    const checks = ${JSON.stringify(checks)};
    const run = ([type, fields]) => runProbe(probeOf(type), fields, { timeoutMs: 3_000, egress });
    console.log(JSON.stringify(await Promise.all(checks.map(run))));`;
  const node = [process.execPath, '--input-type=module', '--eval', script];
  const line = [...setUp, 'exec "$@"'].join(' && ');
  const { stdout } = await run('unshare', ['-n', 'sh', '-c', line, 'sh', ...node]);
  return JSON.parse(stdout) as ProbeOutcome[];
}
