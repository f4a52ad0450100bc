/**
 * Keeps the documentation up to date. `--settings` writes the table of settings into docs/configuration.md, `--types` those
 * of monitor types into README.md and of channel types into docs/alerting.md. `--tour` runs docs/tour.md as a newcomer
 * would, command by command, and compares the output with what it shows; then it runs the first check of README.md.
 * `--tour --write` writes the output instead. The tour runs in this folder, on port 3000 and with `./data`, which must not
 * exist.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { CHANNELS } from '../dist/src/channels/index.js';
import { SETTINGS } from '../dist/src/config/settings.js';
import { PROBES } from '../dist/src/probes/index.js';

const README = 'README.md';
const ALERTING = 'docs/alerting.md';
const CONFIGURATION = 'docs/configuration.md';
const TOUR = 'docs/tour.md';
const BLOCK = /```(bash|js)\n([\s\S]*?)```/g;
const FIRST_CHECK = /(?<=\n## First check\n)[\s\S]*?(?=\n## )/;
const flags = new Set(process.argv.slice(2));

if (flags.has('--settings')) {
  const rows = Object.entries(SETTINGS).map(
    ([name, { default: value, doc }]) => `| \`${name}\` | ${value === '' ? '' : `\`${value}\``} | ${doc} |\n`,
  );
  writeTable(CONFIGURATION, '| Variable | Default | Meaning |\n|---|---|---|\n', rows);
}
if (flags.has('--types')) {
  const rowOf = ({ type, summary }) => `| \`${type}\` | ${summary} |\n`;
  writeTable(README, '| Type | What a check does |\n|---|---|\n', PROBES.map(rowOf));
  writeTable(ALERTING, '| Type | What it does |\n|---|---|\n', CHANNELS.map(rowOf));
}
if (flags.has('--tour')) await runTour(flags.has('--write'));

/** Replaces the rows of the table that starts with `head`. */
function writeTable(file, head, rows) {
  const text = readFileSync(file, 'utf8');
  const start = text.indexOf(head);
  if (start < 0) throw new Error(`${file} has no table with the head ${head}`);
  const after = text.slice(start + head.length).replace(/^(?:\|.*\n)*/, '');
  writeFileSync(file, text.slice(0, start) + head + rows.join('') + after);
}

async function runTour(isWriting) {
  if (existsSync('data')) throw new Error('./data exists: remove it before running the tour');
  const tour = readFileSync(TOUR, 'utf8');
  const [start, ...commands] = blocksOf(tour);
  const firstCheck = blocksOf(FIRST_CHECK.exec(readFileSync(README, 'utf8'))[0]);
  const service = spawn('bash', ['-c', start.text], { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  try {
    await line(service.stdout, /is ready/);
    const { failures, shown } = await walk(commands);
    await walk(firstCheck);
    if (isWriting) {
      let turn = 0;
      writeFileSync(
        TOUR,
        tour.replace(/```js\n[\s\S]*?```/g, () => `\`\`\`js\n${shown[turn++]}\`\`\``),
      );
    } else if (failures.length > 0) {
      process.stderr.write(`${failures.join('\n')}\n`);
      process.exitCode = 1;
    } else process.stdout.write(`The tour printed what it shows (${commands.length} blocks).\n`);
  } finally {
    if (service.exitCode === null && service.signalCode === null) {
      process.kill(-service.pid, 'SIGINT');
      await new Promise((resolve) => service.once('exit', resolve));
    }
    rmSync('data', { recursive: true, force: true });
  }
}

function blocksOf(text) {
  return [...text.matchAll(BLOCK)].map(([, language, code]) => ({ language, text: code }));
}

/** Runs the commands in one shell. Returns the output of each block, and the differences from what is shown. */
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
      if (normal(printed) !== normal(text)) failures.push(`The tour shows\n${text}but it printed\n${printed}`);
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

/** Removes what differs between runs: ids, times, durations and line breaks. */
function normal(text) {
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<id>')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replace(/(id|nextCursor): '[\w.-]{12,}'/g, "$1: '<opaque>'")
    .replace(/\b(\w+(?:Ms|Percent)): [\d.]+/g, '$1: <number>')
    .replace(/\s+/g, ' ');
}
