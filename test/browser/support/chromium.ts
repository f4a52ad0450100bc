import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/** First the one without windows, each of which the others draw as a page of its own. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** Of its own accord a browser calls home, which a test neither wants nor may. */
const FLAGS = [
  ...['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync'],
];

/** The Chromium to use: that of `CHROMIUM_PATH`, else the first on the path; null where there is none. */
export function chromiumPath(): string | null {
  const { CHROMIUM_PATH: named, PATH = '' } = process.env;
  if (named) return named;
  const places = NAMES.flatMap((name) => PATH.split(delimiter).map((folder) => join(folder, name)));
  return places.find(isProgram) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Starts Chromium, without a window. */
export function launchChromium(): Promise<Browser> {
  // It refuses a sandbox to root, who runs the tests in a container.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath: chromiumPath()!, args: [...FLAGS, ...sandbox] });
}
