import { describe, expect } from '@jest/globals';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { SETTINGS } from '../../src/config/settings.js';

/** Where the scripts are, and their names. */
export const PIPELINES = fileURLToPath(new URL('../../../../docs/pipelines/', import.meta.url));
export const SCRIPTS = readdirSync(PIPELINES).filter((name) => name.endsWith('.sh'));

const TOOLS = ['bash', 'jq', 'curl'] as const;
/** The first curl that retries with `--fail-with-body`. */
const CURL = { major: 7, minor: 84 };

/** Why the scripts cannot run here; `null` where they can. A newcomer's machine needs node and git alone. */
function obstacle(): string | null {
  for (const tool of TOOLS) {
    if (spawnSync(tool, ['--version']).error) return `${tool} is not installed`;
  }
  const [, major, minor] = /^curl (\d+)\.(\d+)/.exec(spawnSync('curl', ['--version']).stdout.toString()) ?? [];
  const isOld = Number(major) * 1_000 + Number(minor) < CURL.major * 1_000 + CURL.minor;
  return isOld ? `curl is older than ${CURL.major}.${CURL.minor}` : null;
}

const reason = obstacle();

/** `describe` where the scripts can run, else a skipped one that says why. */
export const describeScripts: (name: string, tests: () => void) => void =
  reason === null ? describe : (name, tests) => describe.skip(`${name} (not run: ${reason})`, tests);

/** What an installation has that says nothing of limits, in place of none at all. */
export const DEFAULT_LIMITS = {
  RATE_LIMIT_PER_MINUTE: SETTINGS.RATE_LIMIT_PER_MINUTE.default,
  AUTH_FAILURES_PER_MINUTE: SETTINGS.AUTH_FAILURES_PER_MINUTE.default,
};

/** As a pipeline gives it to a script. */
export interface Access {
  DAYWATCH_URL: string;
  DAYWATCH_API_KEY: string;
}

export interface ScriptOutcome {
  /** `null` after a signal. */
  code: number | null;
  stdout: string;
  stderr: string;
  /** Every argument of every curl and jq that it ran, a line each: what `ps` may have shown. */
  shown: string;
}

/** A folder in which scripts run, and commands that note how they are called. */
export class PipelineStage {
  private constructor(readonly folder: string) {}

  static async open(): Promise<PipelineStage> {
    const stage = new PipelineStage(await mkdtemp(join(tmpdir(), 'daywatch-pipelines-')));
    await mkdir(stage.path('bin'));
    await mkdir(stage.path('tmp'));
    for (const tool of ['curl', 'jq']) {
      const real = spawnSync('bash', ['-c', `command -v ${tool}`])
        .stdout.toString()
        .trim();
      const noting = `#!/usr/bin/env bash\nprintf '%s\\n' "$@" >>"$SHOWN"\nexec '${real}' "$@"\n`;
      await writeFile(stage.path(join('bin', tool)), noting, { mode: 0o755 });
    }
    return stage;
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /** Writes a file, JSON unless it is text; gives its path. */
  async file(name: string, content: unknown): Promise<string> {
    await writeFile(this.path(name), typeof content === 'string' ? content : JSON.stringify(content));
    return this.path(name);
  }

  start(
    script: string,
    args: string[],
    access: Partial<Access>,
  ): { child: ChildProcess; outcome: Promise<ScriptOutcome> } {
    const noted = this.path(`shown-${Math.random()}`);
    const env = {
      ...{ PATH: this.path('bin') + delimiter + process.env.PATH, TMPDIR: this.path('tmp'), SHOWN: noted },
      ...access,
    };
    const child = spawn(PIPELINES + script, args, { env, cwd: this.folder, stdio: ['ignore', 'pipe', 'pipe'] });
    const said = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    const outcome = said.then(async ([stdout, stderr]) => {
      const shown = await readFile(noted, 'utf8').catch(() => '');
      const { DAYWATCH_API_KEY: key } = access;
      if (key) for (const one of [stdout, stderr, shown]) expect(one).not.toContain(key);
      // Nothing is left behind, and thus no secret either.
      expect(readdirSync(this.path('tmp'))).toEqual([]);
      return { code: child.exitCode, stdout, stderr, shown };
    });
    return { child, outcome };
  }

  /** Runs a script to its end. Fails where it shows the API key to anyone, or leaves a temporary file behind. */
  run(script: string, args: string[], access: Partial<Access>): Promise<ScriptOutcome> {
    return this.start(script, args, access).outcome;
  }

  close(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}
