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

/** The folder of the scripts. */
export const PIPELINES = fileURLToPath(new URL('../../../../docs/pipelines/', import.meta.url));
export const SCRIPTS = readdirSync(PIPELINES).filter((name) => name.endsWith('.sh'));

const TOOLS = ['bash', 'jq', 'curl'] as const;
/** The first version of curl that retries with `--fail-with-body`. */
const CURL = { major: 7, minor: 84 };

/** Returns why the scripts cannot run here; `null` if they can. Contributors need only Node.js and git. */
function obstacle(): string | null {
  for (const tool of TOOLS) {
    if (spawnSync(tool, ['--version']).error) return `${tool} is not installed`;
  }
  const [, major, minor] = /^curl (\d+)\.(\d+)/.exec(spawnSync('curl', ['--version']).stdout.toString()) ?? [];
  const isOld = Number(major) * 1_000 + Number(minor) < CURL.major * 1_000 + CURL.minor;
  return isOld ? `curl is older than ${CURL.major}.${CURL.minor}` : null;
}

const reason = obstacle();

/** Calls `describe` if the scripts can run, otherwise `describe.skip` with the reason. */
export const describeScripts: (name: string, tests: () => void) => void =
  reason === null ? describe : (name, tests) => describe.skip(`${name} (not run: ${reason})`, tests);

/** The default rate limits of an installation, in place of `NO_LIMITS`. */
export const DEFAULT_LIMITS = {
  RATE_LIMIT_PER_MINUTE: SETTINGS.RATE_LIMIT_PER_MINUTE.default,
  AUTH_FAILURES_PER_MINUTE: SETTINGS.AUTH_FAILURES_PER_MINUTE.default,
};

/** The environment variables that a pipeline passes to a script. */
export interface Access {
  DAYWATCH_URL: string;
  DAYWATCH_API_KEY: string;
}

export interface ScriptOutcome {
  /** `null` after a signal. */
  code: number | null;
  stdout: string;
  stderr: string;
  /** Every argument of every curl and jq that it ran, one per line: `ps` may have shown them. */
  shown: string;
}

/** A folder in which scripts run, with wrappers of curl and jq that record their arguments. */
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

  /** Writes a file, as JSON unless the content is text. Returns its path. */
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
      PATH: this.path('bin') + delimiter + process.env.PATH,
      TMPDIR: this.path('tmp'),
      SHOWN: noted,
      ...access,
    };
    const child = spawn(PIPELINES + script, args, { env, cwd: this.folder, stdio: ['ignore', 'pipe', 'pipe'] });
    const said = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    const outcome = said.then(async ([stdout, stderr]) => {
      const shown = await readFile(noted, 'utf8').catch(() => '');
      const { DAYWATCH_API_KEY: key } = access;
      if (key) for (const one of [stdout, stderr, shown]) expect(one).not.toContain(key);
      // No temporary file is left behind, and thus no secret in one.
      expect(readdirSync(this.path('tmp'))).toEqual([]);
      return { code: child.exitCode, stdout, stderr, shown };
    });
    return { child, outcome };
  }

  /** Runs a script to its end. Fails if it reveals the API key or leaves a temporary file behind. */
  run(script: string, args: string[], access: Partial<Access>): Promise<ScriptOutcome> {
    return this.start(script, args, access).outcome;
  }

  close(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}
