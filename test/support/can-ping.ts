import { spawnSync } from 'node:child_process';
import { echoPlan, findPingTool, pingArguments } from '../../src/probes/ping/ping-tool.js';

/** Returns whether this machine has a ping program with which this user may ping 127.0.0.1. */
export function canPing(): boolean {
  const tool = findPingTool();
  if (tool === null) return false;
  const plan = echoPlan(tool, 1, 1_000);
  return spawnSync(tool.path, pingArguments(tool, '127.0.0.1', plan, process.platform)).status === 0;
}
