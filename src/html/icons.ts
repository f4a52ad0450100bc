import { createRequire } from 'node:module';
import { type IconifyJSON } from '@iconify-json/lucide';

/** The icons that pages use, by their names in the Lucide set. */
export const ICON_NAMES = [
  'arrow-down',
  'arrow-up',
  'book-open',
  'calendar',
  'check',
  'chevron-right',
  'circle-question-mark',
  'code',
  'copy',
  'ellipsis',
  'external-link',
  'grip-vertical',
  'layout-dashboard',
  'log-out',
  'menu',
  'pause',
  'pencil',
  'play',
  'plus',
  'radar',
  'refresh-cw',
  'search',
  'siren',
  'sliders-horizontal',
  'tag',
  'trash',
  'tv',
  'user',
  'x',
] as const;
export type IconName = (typeof ICON_NAMES)[number];

/** Returns all icons as one SVG file, from which pages refer to a single icon by its name. */
export function iconSprite(): string {
  const { icons } = createRequire(import.meta.url)('@iconify-json/lucide/icons.json') as IconifyJSON;
  const symbols = ICON_NAMES.map((name) => {
    const icon = icons[name];
    if (!icon) throw new Error(`There is no icon named ${name}`);
    return `<symbol id="${name}" viewBox="0 0 24 24">${icon.body}</symbol>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join('')}</svg>`;
}
