import { createHash } from 'node:crypto';
import { DARK_GROUNDS, LIGHT_GROUNDS } from '../../../html/palette.js';
import { readableOn } from '../../../html/readable-colour.js';

const FILE = /^accent-([0-9a-f]{6})\.css$/;

/** What pages of this colour (`#rrggbb`) load after the style of all pages. Only the band has it as it is: no text. */
export function accentStyle(colour: string): string {
  const link = `light-dark(${readableOn(colour, LIGHT_GROUNDS)}, ${readableOn(colour, DARK_GROUNDS)})`;
  return `:root { --link: ${link} }\nbody { border-top: 8px solid ${colour} }\n`;
}

/** The name of its file. Another colour is another one, and its version changes with the style: caches may keep it. */
export function accentFile(colour: string): string {
  const version = createHash('sha256').update(accentStyle(colour)).digest('hex').slice(0, 12);
  return `accent-${colour.slice(1)}.css?v=${version}`;
}

/** The file of this name, if it is one of these. */
export function accentAsset(name: string): { type: string; body: string } | undefined {
  const colour = FILE.exec(name)?.[1];
  return colour === undefined ? undefined : { type: 'css', body: accentStyle(`#${colour}`) };
}
