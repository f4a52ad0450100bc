import { createHash } from 'node:crypto';
import { renderToString } from 'preact-render-to-string';
import { type Coding, encoded } from '../../../http/content-coding.js';
import { type Mark, MARK_WORDS } from '../../../html/marks.js';
import { StateIcon } from '../../../html/state-mark.js';
import { EDITOR_SCRIPT } from './script-editors.js';
import { SCRIPT } from './script.js';
import { EDITOR_STYLE } from './style-editors.js';
import { STYLE } from './style.js';

interface Asset {
  type: 'css' | 'js' | 'svg';
  body: string;
  /** The body as it was sent before: each coding is made once, when it is first asked for. */
  sent: Map<Coding, Promise<Buffer>>;
}

const files = new Map<string, Asset>();

/** Adds a file, and gives its address, which changes with its content, so that caches may keep it for good. */
export function asset(name: string, type: Asset['type'], body: string): string {
  const file = `${name}-${createHash('sha256').update(body).digest('hex').slice(0, 12)}.${type}`;
  files.set(file, { type, body, sent: new Map() });
  return `/assets/${file}`;
}

export const STYLE_PATH = asset('console', 'css', STYLE + EDITOR_STYLE);
export const SCRIPT_PATH = asset('console', 'js', SCRIPT + EDITOR_SCRIPT);
/** The icon of the tab, by the state of what its page is about. */
export const ICON_PATHS = Object.fromEntries(
  Object.keys(MARK_WORDS).map((mark) => [
    mark,
    asset(`icon-${mark}`, 'svg', renderToString(<StateIcon mark={mark as Mark} />)),
  ]),
) as Readonly<Record<Mark, string>>;

/** The file of this name as it is now; undefined for any other. */
export function assetOf(name: string): Asset | undefined {
  return files.get(name);
}

/** The bytes of a file. Pages themselves are not compressed: their length would tell of the secrets in them (BREACH). */
export function bytesOf({ body, sent }: Asset, coding: Coding): Promise<Buffer> {
  const bytes = sent.get(coding) ?? encoded(Buffer.from(body), coding);
  sent.set(coding, bytes);
  return bytes;
}
