import { spawnSync } from 'node:child_process';
import { echoPlan, findPingTool, pingArguments } from '../../src/probes/ping/ping-tool.js';

/** Returns whether this machine has a ping program with which this user may ping 127.0.0.1. */
export function canPing(): boolean {
  const tool = findPingTool();
  return (
    tool !== null &&
    spawnSync(tool.path, pingArguments(tool, '127.0.0.1', echoPlan(1, 1_000), process.platform)).status === 0
  );
}
