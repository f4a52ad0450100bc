/** Of text and its ground, at least: WCAG 2.2, 1.4.3, level AA. */
const TEXT_CONTRAST = 4.5;
const STEPS = 255;
const POLES = ['#000000', '#ffffff'] as const;

/** The contrast of two opaque colours (`#rrggbb`), from 1 to 21, as WCAG 2.2 defines it. */
export function contrast(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

/**
 * The colour (`#rrggbb`) as text on any of these grounds: itself where it can be read on all of them, else the first
 * that can on its way to black or to white, whichever is read better there. At least 4.5 : 1 wherever one of these two
 * has that, so on all grounds that are much alike.
 */
export function readableOn(colour: string, grounds: readonly string[]): string {
  const least = (candidate: string): number => Math.min(...grounds.map((ground) => contrast(candidate, ground)));
  const pole = least(POLES[0]) > least(POLES[1]) ? POLES[0] : POLES[1];
  for (let step = 0; step < STEPS; step += 1) {
    const candidate = mixed(colour, pole, step / STEPS);
    if (least(candidate) >= TEXT_CONTRAST) return candidate;
  }
  return pole;
}

/** Relative luminance as WCAG 2.2 defines it: 0 for black, 1 for white. */
function luminance(colour: string): number {
  const [red, green, blue] = channels(colour).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function mixed(colour: string, pole: string, share: number): string {
  const ends = channels(pole);
  const mix = channels(colour).map((channel, at) => Math.round(channel + (ends[at]! - channel) * share));
  return `#${mix.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

function channels(colour: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}
