import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/** Program names by preference. The first one is built for headless use only. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** Flags that disable the browser's own network requests, among others. */
const FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Returns the path of Chromium: `CHROMIUM_PATH`, or the first one found in `PATH`; null if there is none. */
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

/** Starts Chromium without a window. */
export function launchChromium(): Promise<Browser> {
  // Chromium does not support its sandbox for root, which runs the tests in containers.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath: chromiumPath()!, args: [...FLAGS, ...sandbox] });
}
