/** Minimum contrast of text to its background: WCAG 2.2, 1.4.3, level AA. */
const TEXT_CONTRAST = 4.5;
const STEPS = 255;
const POLES = ['#000000', '#ffffff'] as const;

/** Returns the contrast of two opaque colours (`#rrggbb`), from 1 to 21, as defined by WCAG 2.2. */
export function contrast(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

/**
 * Returns the colour (`#rrggbb`) to use for text on all of these backgrounds: the given one if it is readable on each,
 * else the first readable one between it and black or white, whichever is more readable. The contrast is at least 4.5 :
 * 1 if black or white reaches that, which is the case for backgrounds of similar brightness.
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

/** Returns the relative luminance as defined by WCAG 2.2: 0 for black, 1 for white. */
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
