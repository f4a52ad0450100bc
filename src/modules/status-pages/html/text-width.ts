/**
 * Advance widths of Verdana at 11 px, in pixels. Those of DejaVu Sans, its replacement on Linux, are almost the same.
 */
const BY_ADVANCE: readonly (readonly [number, string])[] = [
  [3, "'il"],
  [3.9, ' fj'],
  [4, ',.·'],
  [4.3, '!t'],
  [4.6, 'Ir'],
  [5, '"()-/:;J[\\]|'],
  [5.7, 'csz'],
  [6, '?•'],
  [6.2, 'FL'],
  [6.5, 'ekvxy'],
  [6.7, 'Pao'],
  [6.8, 'TYbdgpq'],
  [7, '$*0123456789E_`hnu{}–'],
  [7.5, 'ABSVXZ'],
  [7.7, 'CKR'],
  [8, '&U'],
  [8.3, 'HN'],
  [8.6, 'DGOQ'],
  [9, '#+<=>^w~…'],
  [9.3, 'M'],
  [10.8, 'Wm'],
  [11, '@—'],
  [11.8, '%'],
];
const ADVANCES = new Map(BY_ADVANCE.flatMap(([px, characters]) => [...characters].map((one) => [one, px] as const)));

/** Width of all other characters, such as Greek letters: too much space is better than too little. */
const OTHER_PX = 7.5;
const NARROW_PX = 5.5;
const WIDE_PX = 11;
const EMOJI_PX = 14;
const WIDE =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u3000-\u303F\uFF00-\uFF60]/u;
const NARROW = /^[\p{Script=Arabic}\p{Script=Hebrew}]/u;
const EMOJI = /^[\p{Emoji_Presentation}\p{Extended_Pictographic}]/u;

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Returns the user-perceived characters of a text: a letter with its accents is one, as is a joined emoji. */
export function graphemes(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Returns the approximate width of a text in Verdana at 11 px, in pixels. */
export function textWidth(text: string): number {
  return graphemes(text).reduce((px, one) => px + advance(one), 0);
}

function advance(grapheme: string): number {
  const known = ADVANCES.get(grapheme);
  if (known !== undefined) return known;
  if (EMOJI.test(grapheme)) return EMOJI_PX;
  if (WIDE.test(grapheme)) return WIDE_PX;
  if (NARROW.test(grapheme)) return NARROW_PX;
  // An accented letter is as wide as the letter.
  const [letter = ''] = grapheme.normalize('NFD');
  return ADVANCES.get(letter) ?? OTHER_PX;
}
