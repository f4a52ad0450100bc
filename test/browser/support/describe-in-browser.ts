import { describe } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { chromiumPath } from './chromium.js';

/** Why tests in a browser cannot run here; null where they can. A newcomer's machine needs node and git alone. */
function obstacle(): string | null {
  const path = chromiumPath();
  if (path === null) return 'Chromium is not installed';
  return spawnSync(path, ['--version']).status === 0 ? null : `${path} does not start`;
}

/** `describe` where there are a Chromium and these `tools`, else a skipped one that says why. */
export function describeInBrowser(name: string, tests: () => void, tools: readonly string[] = []): void {
  const missing = tools.find((tool) => spawnSync(tool, ['--version']).error);
  const reason = obstacle() ?? (missing === undefined ? null : `${missing} is not installed`);
  if (reason === null) describe(name, tests);
  else describe.skip(`${name} (not run: ${reason})`, tests);
}
