import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { renderToString } from 'preact-render-to-string';
import { type Mark, MARK_WORDS } from './marks.js';
import { StateIcon } from './state-mark.js';

/** A file that pages load. */
export interface Asset {
  type: 'css' | 'js' | 'svg';
  body: string;
}

const WEB = new URL('../web/', import.meta.url);
/** Served from the uPlot release, because pages load nothing from other servers. */
const UPLOT = ['uPlot.iife.min.js', 'uPlot.min.css'];
const uPlotFile = (name: string): string => createRequire(import.meta.url).resolve(`uplot/dist/${name}`);

const files = new Map<string, Asset>([
  ...readdirSync(WEB)
    .filter((name) => /\.(css|js)$/.test(name))
    .map((name) => entry(name, readFileSync(new URL(name, WEB), 'utf8'))),
  ...UPLOT.map((name) => entry(name, readFileSync(uPlotFile(name), 'utf8'))),
  ...Object.keys(MARK_WORDS).map((mark) => entry(`${mark}.svg`, renderToString(<StateIcon mark={mark as Mark} />))),
]);

function entry(name: string, body: string): [string, Asset] {
  return [name, { type: name.split('.').at(-1) as Asset['type'], body }];
}

/**
 * Changes whenever any of the files does. It is part of their URLs, so that caches may store them indefinitely and
 * modules can use relative imports.
 */
export const ASSETS_VERSION = createHash('sha256')
  .update(JSON.stringify([...files]))
  .digest('hex')
  .slice(0, 12);

/** Returns the file of this name; undefined if there is none, or if the version is not the current one. */
export function assetOf(version: string, name: string): Asset | undefined {
  return version === ASSETS_VERSION ? files.get(name) : undefined;
}
