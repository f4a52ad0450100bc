import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import globalSetup from '../support/global-setup.js';
import globalTeardown from '../support/global-teardown.js';
import { chromiumPath } from './support/chromium.js';
import { demoContent } from './support/demo-content.js';
import { PAGE_ROWS } from './support/page-rows.js';
import { type PageRow } from './support/rows/page-row.js';
import { smallPng } from './support/small-png.js';
import { Stage } from './support/stage.js';
import { DESKTOP, PHONE } from './support/visit.js';
import { startStillApp } from './support/world.js';

const FOLDER = fileURLToPath(new URL('../../../../docs/screenshots/', import.meta.url));
/** As most monitors are checked. */
const INTERVAL_SECONDS = 300;
/** More of a page than this, in pixels, says no more about how it looks. */
const MAX_HEIGHT = 2_400;

/** The pictures of each page: what its file is called, the colours, and the size of the window. */
const KINDS = [
  { kind: 'light', colorScheme: 'light', viewport: DESKTOP },
  { kind: 'dark', colorScheme: 'dark', viewport: DESKTOP },
  { kind: '360', colorScheme: 'light', viewport: PHONE },
] as const;

const PICTURED = PAGE_ROWS.filter(({ pictured = true }) => pictured);
const say = (text: string): void => void process.stdout.write(`${text}\n`);

async function take(stage: Stage, row: PageRow): Promise<void> {
  for (const { kind, colorScheme, viewport } of KINDS) {
    const { page } = await stage.visit(row, { colorScheme, viewport });
    const height = Math.min(MAX_HEIGHT, await page.evaluate<number>('document.documentElement.scrollHeight'));
    const clip = { x: 0, y: 0, width: viewport.width, height };
    const picture = await page.screenshot({ fullPage: true, clip, scale: 'css' });
    await writeFile(join(FOLDER, `${row.name}-${kind}.png`), smallPng(picture));
    await stage.clear();
  }
}

function listOf(rows: readonly PageRow[]): string {
  const lines = rows.map(({ name, route, who }) => {
    const pictures = KINDS.map(({ kind }) => `[${kind}](${name}-${kind}.png)`).join(', ');
    return `| ${name} | \`${route}\` | ${who} | ${pictures} |`;
  });
  return [
    '# How the pages look',
    '',
    'Made by `npm run screenshots` from the table of pages that the tests in a browser go through',
    '(`test/browser/support/page-rows.ts`), on a service filled with a small shop. Not written by hand.',
    '',
    '| Page | Address | Seen by | Pictures |',
    '|---|---|---|---|',
    ...lines,
    '',
  ].join('\n');
}

/** Makes the pictures of all pages, or of those that `--only` names by the beginnings of their names. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
  if (chromiumPath() === null) throw new Error('Chromium is not installed, or CHROMIUM_PATH does not name it');
  const wanted = PICTURED.filter(({ name }) => values.only.split(',').some((one) => name.startsWith(one)));
  if (values.only === '') await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  const stage = await Stage.open(startStillApp, demoContent(Date.now()), INTERVAL_SECONDS);
  try {
    for (const row of wanted) await take(stage, row);
  } finally {
    await stage.close();
  }
  await writeFile(join(FOLDER, 'README.md'), listOf(PICTURED));
  const files = await readdir(FOLDER);
  const sizes = await Promise.all(files.map((name) => stat(join(FOLDER, name)).then(({ size }) => size)));
  say(`${files.length} files, ${Math.round(sizes.reduce((sum, size) => sum + size, 0) / 1_000)} kB in ${FOLDER}`);
}

await globalSetup();
try {
  await main();
} finally {
  await globalTeardown();
}
