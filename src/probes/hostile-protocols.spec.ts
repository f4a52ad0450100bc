import { type Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { settledDescriptors } from '../../test/support/descriptors.js';
import {
  flood,
  HOSTILE_BEHAVIOURS,
  HOSTILE_CHECKS,
  HOSTILE_DATAGRAM_CHECKS,
  HOSTILE_DATAGRAMS,
  HOSTILE_REGISTRY,
  hostileFields,
} from '../../test/support/hostile-servers.js';
import { type ProbeRunOptions } from '../../test/support/probe-run.js';
import { runCheck, startDatagrams, startScript, stopsServers } from '../../test/support/probe-scripts.js';
import { latestEndMs, timed } from '../../test/support/timed.js';

stopsServers();
const TIMEOUT_MS = 400;
const OPTIONS: ProbeRunOptions = {
  timeoutMs: TIMEOUT_MS,
  // On a busy machine, an evaluation may be held up, which proves nothing about the target.
  evaluate: (work) => {
    work();
    return true;
  },
};
const FLOODS_AT_ONCE = 2;
/** What the kernel buffers for both sides of a connection at most, and what a check reads. */
const MAX_SENT_BYTES = 24 * 1024 * 1024;

/**
 * Runs checks at the same time, each against a server of its own. Returns those that did not fail as they should, and how
 * long all took.
 */
async function runAll(
  act: (socket: Socket) => void,
  checks = HOSTILE_CHECKS,
): Promise<{ faults: string[]; tookMs: number }> {
  const targets = await Promise.all(checks.map(async (check) => ({ check, server: await startScript(act) })));
  const { value: outcomes, tookMs } = await timed(() =>
    Promise.all(
      targets.map(({ check: [type, more], server }) => runCheck(type, hostileFields(server.port, more), OPTIONS)),
    ),
  );
  for (const { server } of targets) await server.idle();
  const faults = outcomes.flatMap(({ error }, index) => {
    const code = error?.code ?? 'up';
    return ['up', 'checker_error'].includes(code) ? [`${JSON.stringify(checks[index])}: ${code}`] : [];
  });
  return { faults, tookMs };
}

describe('a check of any type over TCP', () => {
  it.each(HOSTILE_BEHAVIOURS)('ends by its deadline with a named error if the server %s', async (_, act) => {
    const { faults, tookMs } = await runAll(act);
    expect(faults).toEqual([]);
    expect(tookMs).toBeLessThan(latestEndMs(TIMEOUT_MS));
  });

  it.each([
    ['one endless line', Buffer.alloc(65_536, '2')],
    ['endless lines', Buffer.from('220-hello\r\n'.repeat(6_000))],
    ['endless zeros', Buffer.alloc(65_536)],
  ])('reads only a part if the server sends %s', async (_, piece) => {
    const sent: { sentBytes(): number }[] = [];
    // The servers are in this process, and more of them would keep it busy beyond the deadline.
    for (let from = 0; from < HOSTILE_CHECKS.length; from += FLOODS_AT_ONCE) {
      const checks = HOSTILE_CHECKS.slice(from, from + FLOODS_AT_ONCE);
      const { faults, tookMs } = await runAll((socket) => sent.push(flood(socket, piece)), checks);
      expect(faults).toEqual([]);
      expect(tookMs).toBeLessThan(latestEndMs(TIMEOUT_MS));
    }
    expect(Math.max(...sent.map((one) => one.sentBytes()))).toBeLessThan(MAX_SENT_BYTES);
  });

  it.each(HOSTILE_BEHAVIOURS)('is inconclusive about a domain if the registry %s', async (_, act) => {
    const { port } = await startScript(act);
    const [type, more] = HOSTILE_REGISTRY;
    const check = runCheck(type, hostileFields(port, more), OPTIONS);
    const { value, tookMs } = await timed(() => check);
    expect(value.error?.code).toBe('checker_error');
    expect(tookMs).toBeLessThan(latestEndMs(TIMEOUT_MS));
  });

  it('leaves no descriptor open', async () => {
    const { port } = await startScript((socket) => socket.write('220 hello\r\n'));
    const before = await settledDescriptors();
    const runs = HOSTILE_CHECKS.flatMap((check) => Array.from({ length: 5 }, () => check));
    await Promise.all(runs.map(([type, more]) => runCheck(type, hostileFields(port, more), OPTIONS)));
    expect(await settledDescriptors()).toBeLessThanOrEqual(before);
  });
});

describe('a check of any type over UDP', () => {
  it.each(HOSTILE_DATAGRAMS)('ends by its deadline with a named error if the server %s', async (_, act) => {
    for (const [type, more] of HOSTILE_DATAGRAM_CHECKS) {
      const { port } = await startDatagrams(act);
      const check = runCheck(type, hostileFields(port, more), OPTIONS);
      const { value, tookMs } = await timed(() => check);
      expect([type, value.error?.code ?? 'up']).not.toContain('up');
      expect(value.error?.code).not.toBe('checker_error');
      expect(tookMs).toBeLessThan(latestEndMs(TIMEOUT_MS));
    }
  });
});
