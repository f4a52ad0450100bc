import { renderToString } from 'preact-render-to-string';
import { type Badge } from '../badge.js';
import { StateShape } from '../../../html/state-mark.js';
import { graphemes, textWidth } from './text-width.js';

/** Background colours. The contrast to white text is at least 4.5:1. */
export const BADGE_TONES: Readonly<Record<Badge['tone'], string>> = {
  up: '#237a33',
  degraded: '#b35c00',
  down: '#c92a2a',
  maintenance: '#1864ab',
  paused: '#6c757d',
  excluded: '#7048a8',
  unknown: '#6c757d',
  plain: '#5c6773',
};
export const LABEL_GROUND = '#343a40';

/** Maximum number of characters of a label that are drawn; the tooltip contains all of them. */
const MAX_DRAWN = 60;
const PADDING_PX = 6;
const SHAPE_PX = 10;
const SHAPE_GAP_PX = 4;
const FONT = "Verdana,Geneva,'DejaVu Sans',sans-serif";

/** Renders a badge as a self-contained SVG file without scripts, styles or references. */
export function renderBadge({ label, value, told, mark, tone }: Badge): string {
  const left = new Box(0, 0, shorten(label));
  const right = new Box(left.end, mark ? SHAPE_PX + SHAPE_GAP_PX : 0, value);
  const svg = (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={right.end}
      height="20"
      viewBox={`0 0 ${right.end} 20`}
      role="img"
      aria-label={told}
    >
      <title>{told}</title>
      <rect width={right.end} height="20" rx="3" fill={BADGE_TONES[tone]} />
      <path d={`M3 0H${left.end}V20H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z`} fill={LABEL_GROUND} />
      <g fill="#fff" font-family={FONT} font-size="11" text-rendering="geometricPrecision" aria-hidden="true">
        {mark && (
          <g transform={`translate(${right.start + PADDING_PX} 5) scale(${SHAPE_PX / 12})`} stroke="#fff">
            <StateShape mark={mark} />
          </g>
        )}
        <Line box={left} />
        <Line box={right} />
      </g>
    </svg>
  );
  // Preact renders HTML, but in XML text `]]>` must be escaped.
  return renderToString(svg).replaceAll(']]>', ']]&gt;');
}

/** One half of the badge, in pixels from its left edge. */
class Box {
  readonly textPx: number;
  readonly end: number;

  constructor(
    readonly start: number,
    private readonly indentPx: number,
    readonly text: string,
  ) {
    this.textPx = Math.ceil(textWidth(text));
    this.end = this.textStart + this.textPx + PADDING_PX;
  }

  get textStart(): number {
    return this.start + PADDING_PX + this.indentPx;
  }
}

/** Sets the length of the text, so that it fits in any font. */
function Line({ box: { text, textStart, textPx } }: { box: Box }) {
  return (
    <text x={textStart} y="14" textLength={textPx} lengthAdjust="spacingAndGlyphs">
      {text}
    </text>
  );
}

function shorten(text: string): string {
  const characters = graphemes(text);
  if (characters.length <= MAX_DRAWN) return text;
  const kept = characters.slice(0, MAX_DRAWN - 1).join('');
  return `${kept.trimEnd()}…`;
}
