import { createHash } from 'node:crypto';
import { DARK_GROUNDS, LIGHT_GROUNDS } from '../../../html/palette.js';
import { readableOn } from '../../../html/readable-colour.js';

const FILE = /^accent-([0-9a-f]{6})\.css$/;

/** What pages of this colour (`#rrggbb`) load after the style of all pages. Only the band has it as it is: no text. */
export function accentStyle(colour: string): string {
  const light = `--link:${readableOn(colour, LIGHT_GROUNDS)}`;
  const dark = `--link:${readableOn(colour, DARK_GROUNDS)}`;
  return `:root{${light}}
@media(prefers-color-scheme:dark){:root{${dark}}}
:root[data-theme=light]{${light}}
:root[data-theme=dark]{${dark}}
body{border-top:8px solid ${colour}}
`;
}

/** The name of its file. Another colour is another one, and its version changes with the style: caches may keep it. */
export function accentFile(colour: string): string {
  const version = createHash('sha256').update(accentStyle(colour)).digest('hex').slice(0, 12);
  return `accent-${colour.slice(1)}.css?v=${version}`;
}

/** The style in a file of this name; null where it is none of these. */
export function accentStyleOf(name: string): string | null {
  const colour = FILE.exec(name)?.[1];
  return colour === undefined ? null : accentStyle(`#${colour}`);
}
