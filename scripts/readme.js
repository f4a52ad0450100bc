/**
 * Keeps the README honest. `--settings` writes the table of settings, `--types` that of monitor types; `--tour` runs the five-minute tour as a newcomer
 * would, command by command, and compares what it prints with what the README shows; `--tour --write` shows what it
 * printed. The tour runs in this folder, on port 3000 and on `./data`, which must not exist.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { SETTINGS } from '../dist/src/config/settings.js';
import { PROBES } from '../dist/src/probes/index.js';

const TOUR = /(?<=\n## Five-minute tour\n)[\s\S]*?(?=\n## )/;
const BLOCK = /```(bash|js)\n([\s\S]*?)```/g;
const readme = readFileSync('README.md', 'utf8');
const flags = new Set(process.argv.slice(2));

if (flags.has('--settings')) {
  const head = '| Variable | Default | Meaning |\n|---|---|---|\n';
  const rows = Object.entries(SETTINGS).map(
    ([name, { default: value, doc }]) => `| \`${name}\` | ${value === '' ? '' : `\`${value}\``} | ${doc} |\n`,
  );
  const table = /\| Variable \| Default \| Meaning \|\n\|---\|---\|---\|\n(?:\|.*\n)*/;
  writeFileSync(
    'README.md',
    readme.replace(table, () => head + rows.join('')),
  );
}

if (flags.has('--types')) {
  const head = '| Type | What a check does |\n|---|---|\n';
  const rows = PROBES.map(({ type, summary }) => `| \`${type}\` | ${summary} |\n`);
  const table = /\| Type \| What a check does \|\n\|---\|---\|\n(?:\|.*\n)*/;
  writeFileSync(
    'README.md',
    readFileSync('README.md', 'utf8').replace(table, () => head + rows.join('')),
  );
}

if (flags.has('--tour')) {
  if (existsSync('data')) throw new Error('the tour begins without ./data');
  const tour = TOUR.exec(readme)[0];
  const blocks = [...tour.matchAll(BLOCK)].map(([, language, text]) => ({ language, text }));
  const [start, ...commands] = blocks;
  const service = spawn('bash', ['-c', start.text], { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  try {
    await line(service.stdout, /is ready/);
    const { failures, shown } = await walk(commands);
    if (flags.has('--write')) {
      let turn = 0;
      const written = tour.replace(/```js\n[\s\S]*?```/g, () => `\`\`\`js\n${shown[turn++]}\`\`\``);
      writeFileSync(
        'README.md',
        readme.replace(TOUR, () => written),
      );
    } else if (failures.length > 0) {
      process.stderr.write(`${failures.join('\n')}\n`);
      process.exitCode = 1;
    } else process.stdout.write(`the tour of the README: ${commands.length} blocks as shown\n`);
  } finally {
    process.kill(-service.pid, 'SIGINT');
    await new Promise((resolve) => service.once('exit', resolve));
    rmSync('data', { recursive: true, force: true });
  }
}

/** Types the commands into one shell; gives what each block printed, and where that differs from the README. */
async function walk(blocks) {
  const shell = spawn('bash', ['--noprofile', '--norc'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const failures = [];
  const shown = [];
  shell.stdin.write('set -eo pipefail\n');
  let printed = '';
  for (const { language, text } of blocks) {
    if (language === 'bash') {
      shell.stdin.write(`${text}\necho; echo '=== done'\n`);
      printed = await untilDone(shell, text);
    } else {
      shown.push(printed);
      if (normal(printed) !== normal(text)) failures.push(`The README shows\n${text}but it printed\n${printed}`);
    }
  }
  shell.stdin.end('kill $(jobs -p) 2>/dev/null || true\n');
  return { failures, shown };
}

function untilDone(shell, command) {
  return new Promise((resolve, reject) => {
    let text = '';
    const onData = (chunk) => {
      text += chunk;
      const end = text.indexOf('\n=== done\n');
      if (end < 0) return;
      shell.stdout.off('data', onData);
      resolve(`${text.slice(0, end).trimEnd()}\n`);
    };
    shell.stdout.on('data', onData);
    shell.once('exit', (code) => reject(new Error(`exit ${code} from:\n${command}${text}`)));
  });
}

function line(stream, wanted) {
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input: stream });
    lines.on('line', (text) => wanted.test(text) && resolve(text));
    lines.on('close', () => reject(new Error('the service ended before it was ready')));
  });
}

/** What differs from run to run, taken out: ids, times, durations, and how lines are broken. */
function normal(text) {
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<id>')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replace(/(id|nextCursor): '[\w.-]{12,}'/g, "$1: '<opaque>'")
    .replace(/\b(\w+(?:Ms|Percent)): [\d.]+/g, '$1: <number>')
    .replace(/\s+/g, ' ');
}
