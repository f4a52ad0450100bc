import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { renderToString } from 'preact-render-to-string';
import { iconSprite } from './icons.js';
import { type Mark, MARK_WORDS } from './marks.js';
import { StateIcon } from './state-mark.js';

/** A file that pages load. */
export interface Asset {
  type: 'css' | 'js' | 'svg' | 'woff2';
  body: string | Buffer;
}

const WEB = new URL('../web/', import.meta.url);
/** Pages load nothing from other servers, so these are served from their packages. */
const UPLOT = ['uPlot.iife.min.js', 'uPlot.min.css'];
/** The variable font in all weights. Browsers load the second file only for text that needs it; see `fonts.css`. */
export const FONT = 'inter-latin-wght-normal.woff2';
const FONTS = [FONT, 'inter-latin-ext-wght-normal.woff2'];

const { resolve } = createRequire(import.meta.url);

const files = new Map<string, Asset>([
  ...readdirSync(WEB)
    .filter((name) => /\.(css|js)$/.test(name))
    .map((name) => entry(name, readFileSync(new URL(name, WEB), 'utf8'))),
  ...UPLOT.map((name) => entry(name, readFileSync(resolve(`uplot/dist/${name}`), 'utf8'))),
  ...FONTS.map((name) => entry(name, readFileSync(resolve(`@fontsource-variable/inter/files/${name}`)))),
  entry('icons.svg', iconSprite()),
  ...Object.keys(MARK_WORDS).map((mark) => entry(`${mark}.svg`, renderToString(<StateIcon mark={mark as Mark} />))),
]);

function entry(name: string, body: string | Buffer): [string, Asset] {
  return [name, { type: name.split('.').at(-1) as Asset['type'], body }];
}

/**
 * Changes whenever any of the files does. It is part of their URLs, so that caches may store them indefinitely and
 * modules can use relative imports.
 */
export const ASSETS_VERSION = [...files]
  .reduce((hash, [name, { body }]) => hash.update(name).update(body), createHash('sha256'))
  .digest('hex')
  .slice(0, 12);

/** Returns the file of this name; undefined if there is none, or if the version is not the current one. */
export function assetOf(version: string, name: string): Asset | undefined {
  return version === ASSETS_VERSION ? files.get(name) : undefined;
}
