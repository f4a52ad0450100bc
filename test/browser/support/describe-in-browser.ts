import { describe } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { chromiumPath } from './chromium.js';

/** Returns why browser tests cannot run here; null if they can. Contributors need only Node.js and git. */
function obstacle(): string | null {
  const path = chromiumPath();
  if (path === null) return 'Chromium is not installed';
  return spawnSync(path, ['--version']).status === 0 ? null : `${path} does not start`;
}

/** Calls `describe` if Chromium and these `tools` are available, otherwise `describe.skip` with the reason. */
export function describeInBrowser(name: string, tests: () => void, tools: readonly string[] = []): void {
  const missing = tools.find((tool) => spawnSync(tool, ['--version']).error);
  const reason = obstacle() ?? (missing === undefined ? null : `${missing} is not installed`);
  if (reason === null) describe(name, tests);
  else describe.skip(`${name} (not run: ${reason})`, tests);
}
