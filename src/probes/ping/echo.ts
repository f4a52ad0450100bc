import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Deadline } from '../deadline.js';
import { hasRoute, noWayOut } from '../net/local-route.js';
import { isOwnFault, ProbeFault } from '../net/probe-fault.js';
import { readEcho, type EchoReading } from './echo-reading.js';
import { findPingTool, pingArguments } from './ping-tool.js';

const run = promisify(execFile);
const MAX_OUTPUT_BYTES = 64 * 1024;

/** What an operator is to install. */
export const NO_PING_TOOL = 'Pings need the program fping (or ping) where checks run: install the package fping.';

/**
 * Sends one ICMP echo to an IP address and gives the round-trip time in milliseconds. Rejects with a `ProbeFault`:
 * `timeout`, `connect_failed`, `network_unavailable`, or `checker_error` where this machine cannot ping. At the deadline the program is
 * killed. Each echo is a process of its own, which is well for some hundreds a minute; starting one holds the loop for
 * a millisecond or two.
 */
export async function echo(address: string, timeoutMs: number, deadline: Deadline): Promise<number> {
  const reading = await reply(address, timeoutMs, deadline);
  switch (reading.kind) {
    case 'reply':
      return reading.roundTripMs;
    case 'lost':
      throw noReply();
    case 'unreachable':
      // The programs say the same of a missing route here and of one far away.
      if (!(await hasRoute(address))) throw noWayOut('the address of this target');
      throw new ProbeFault('connect_failed', 'There is no way to the address of this target.');
    case 'failed':
      throw new ProbeFault('checker_error', 'The ping program could not work; it may lack the right to send pings.');
  }
}

async function reply(address: string, timeoutMs: number, deadline: Deadline): Promise<EchoReading> {
  const tool = findPingTool();
  if (!tool) throw new ProbeFault('checker_error', NO_PING_TOOL);
  if (deadline.isOver) throw noReply();
  const killing = new AbortController();
  const onDeadline = (): void => killing.abort();
  const options = {
    // Nothing of our environment, which holds secrets; and messages in the language that is read here.
    env: { LC_ALL: 'C' },
    maxBuffer: MAX_OUTPUT_BYTES,
    signal: killing.signal,
    killSignal: 'SIGKILL' as const,
  };
  deadline.on(onDeadline);
  try {
    const { stdout, stderr } = await run(tool.path, pingArguments(tool, address, timeoutMs, process.platform), options);
    return readEcho(stdout, stderr);
  } catch (error) {
    if (deadline.isOver) throw noReply();
    if (isOwnFault(error)) throw error;
    // These programs say by their exit code that no reply came.
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    return readEcho(stdout, stderr);
  } finally {
    deadline.off(onDeadline);
  }
}

function noReply(): ProbeFault {
  return new ProbeFault('timeout', 'No reply came within the time limit.');
}
