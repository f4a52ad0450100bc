import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { freePort } from './support/free-port.js';
import { startApp, type TestApp } from './support/app.js';
import { describeScripts } from './support/pipelines.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
/** Ends the output of one block. */
const MARK = '=== end of block';

interface Block {
  language: string;
  content: string;
}

describeScripts('docs/alerting.md', () => {
  let app: TestApp;
  let folder: string;
  beforeAll(async () => {
    [app, folder] = await Promise.all([startApp(), mkdtemp(join(tmpdir(), 'daywatch-alerting-'))]);
    await mkdir(join(folder, 'data'));
    await writeFile(join(folder, 'data/initial-api-key'), app.teams.ours.admin);
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  });
  afterAll(async () => {
    await app.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('has commands that succeed in their order and print what it shows', async () => {
    const document = await readFile(join(root, 'docs/alerting.md'), 'utf8');
    const [start, ...blocks] = [...document.matchAll(/^```(bash|text)\n([\s\S]*?)^```/gm)].map(
      ([, language, content]): Block => ({ language: language!, content: content! }),
    );
    // The service of the test runs already, with these settings.
    expect(start!.content).toMatch(
      /^ALLOW_PRIVATE_TARGETS=127\.0\.0\.0\/8 ALLOW_PRIVATE_CHANNELS=127\.0\.0\.0\/8 npm start\n$/,
    );
    expect(blocks.length).toBeGreaterThan(8);
    const outputs = await run(blocks.filter(({ language }) => language === 'bash'));
    let turn = -1;
    for (const { language, content } of blocks) {
      if (language === 'bash') turn += 1;
      else expect(normal(outputs[turn]!)).toBe(normal(content));
    }
  }, 120_000);

  /** Runs the commands in one shell, which ends at the first that fails. Returns the output of each. */
  async function run(blocks: readonly Block[]): Promise<string[]> {
    const port = await freePort();
    // Ends the receiver, even if a command fails.
    const trap = `trap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n`;
    const script = trap + blocks.map(({ content }) => `${content}\necho '${MARK}'\n`).join('');
    const local = script.replaceAll('http://127.0.0.1:3000', app.origin).replaceAll('8082', String(port));
    const shell = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', local], { cwd: folder });
    const [output, errors] = await Promise.all([text(shell.stdout), text(shell.stderr), once(shell, 'close')]);
    expect({ code: shell.exitCode, errors }).toEqual({ code: 0, errors: '' });
    const outputs = output.split(`${MARK}\n`);
    expect(outputs).toHaveLength(blocks.length + 1);
    return outputs;
  }
});

/** Removes what differs between runs. */
function normal(output: string): string {
  return output
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replace(/\d\d:\d\d(?= UTC|–)/g, '<time>')
    .replace(/"durationMs":\d+/g, '"durationMs":<number>')
    .replace(/ for \d+ \w+(?: \d+ \w+)?/g, ' for <duration>')
    .trim();
}
