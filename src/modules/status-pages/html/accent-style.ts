import { createHash } from 'node:crypto';
import { DARK_GROUNDS, LIGHT_GROUNDS } from '../../../html/palette.js';
import { readableOn } from '../../../html/readable-colour.js';

const FILE = /^accent-([0-9a-f]{6})\.css$/;

/**
 * Returns the style that pages with this accent colour (`#rrggbb`) load after the common styles. Only the band has the
 * exact colour, because it contains no text.
 */
export function accentStyle(colour: string): string {
  const link = `light-dark(${readableOn(colour, LIGHT_GROUNDS)}, ${readableOn(colour, DARK_GROUNDS)})`;
  return `:root { --link: ${link} }\nbody { border-top: 8px solid ${colour} }\n`;
}

/** Returns the name of the file, which changes with the colour and the style, so that it can be cached forever. */
export function accentFile(colour: string): string {
  const version = createHash('sha256').update(accentStyle(colour)).digest('hex').slice(0, 12);
  return `accent-${colour.slice(1)}.css?v=${version}`;
}

/** Returns the file with this name, if it is an accent style. */
export function accentAsset(name: string): { type: string; body: string } | undefined {
  const colour = FILE.exec(name)?.[1];
  return colour === undefined ? undefined : { type: 'css', body: accentStyle(`#${colour}`) };
}
