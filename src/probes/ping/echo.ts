import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Deadline } from '../deadline.js';
import { hasRoute, noWayOut } from '../net/local-route.js';
import { isOwnFault, ProbeFault } from '../net/probe-fault.js';
import { readEcho, type EchoReading } from './echo-reading.js';
import { type EchoPlan, echoPlan, findPingTool, pingArguments, type PingTool } from './ping-tool.js';

const run = promisify(execFile);
const MAX_OUTPUT_BYTES = 64 * 1024;

/** What the operator has to install. */
export const NO_PING_TOOL =
  'Ping checks require fping or ping on the machine that runs them: install the package fping.';

/** How many requests were sent, and the round-trip times of those that were answered, in milliseconds; at least one. */
export interface Echoes {
  sent: number;
  roundTripsMs: number[];
}

/**
 * Sends up to `most` ICMP echo requests to an IP address, as far as they fit into the time that is left until the
 * deadline. Rejects with a `ProbeFault`: `timeout`, `connect_failed`, `network_unavailable`, or `checker_error` if this
 * machine cannot ping. The program is killed at the deadline. Each check runs in its own process, which suffices for some
 * hundreds per minute; starting one blocks the event loop for a millisecond or two.
 */
export async function echo(address: string, most: number, leftMs: number, deadline: Deadline): Promise<Echoes> {
  const tool = findPingTool();
  if (!tool) throw new ProbeFault('checker_error', NO_PING_TOOL);
  if (deadline.isOver) throw noReply();
  const plan = echoPlan(tool, most, leftMs);
  const reading = await reply(tool, address, plan, deadline);
  switch (reading.kind) {
    case 'reply':
      return { sent: plan.count, roundTripsMs: reading.roundTripsMs };
    case 'lost':
      throw noReply();
    case 'unreachable':
      // The programs do not distinguish a missing route on this machine from one elsewhere.
      if (!(await hasRoute(address))) throw noWayOut('the address of this target');
      throw new ProbeFault('connect_failed', 'There is no route to the address of this target.');
    case 'failed':
      throw new ProbeFault('checker_error', 'The ping program failed; it may lack permission to send ICMP packets.');
  }
}

async function reply(tool: PingTool, address: string, plan: EchoPlan, deadline: Deadline): Promise<EchoReading> {
  const killing = new AbortController();
  const onDeadline = (): void => killing.abort();
  const options = {
    // Must not pass on the environment, which contains secrets; locale C for output that `readEcho` understands.
    env: { LC_ALL: 'C' },
    maxBuffer: MAX_OUTPUT_BYTES,
    signal: killing.signal,
    killSignal: 'SIGKILL' as const,
  };
  deadline.on(onDeadline);
  try {
    const { stdout, stderr } = await run(tool.path, pingArguments(tool, address, plan, process.platform), options);
    return readEcho(stdout, stderr);
  } catch (error) {
    if (!deadline.isOver && isOwnFault(error)) throw error;
    // These programs report a missing reply with a non-zero exit code, and one that is killed may have had replies.
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    const reading = readEcho(stdout, stderr);
    if (deadline.isOver && reading.kind !== 'reply') throw noReply();
    return reading;
  } finally {
    deadline.off(onDeadline);
  }
}

function noReply(): ProbeFault {
  return new ProbeFault('timeout', 'No reply was received before the timeout.');
}
