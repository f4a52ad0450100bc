/** Response times as the service sends them for a chart: one step per interval, including empty ones. */
export interface ChartData {
  fromMs: number;
  toMs: number;
  steps: ChartStep[];
  outages: { from: number; to: number }[];
  /** Several locations that are compared, or none; one value for each step. */
  locations: { name: string; p50Ms: (number | null)[] }[];
}

export type ChartStep = Record<Phase, number | null> & {
  fromMs: number;
  count: number;
  p50Ms: number | null;
  p95Ms: number | null;
};

export const PHASES = [
  ['dnsMs', 'DNS'],
  ['connectMs', 'Connect'],
  ['tlsMs', 'TLS'],
  ['firstByteMs', 'First byte'],
  ['transferMs', 'Transfer'],
] as const;
export type Phase = (typeof PHASES)[number][0];

/** A phase stacked on the phases before it. `values` are the upper edges, null in steps without a check. */
export interface Layer {
  phase: Phase;
  label: string;
  values: (number | null)[];
}

/** Returns the phases that occur, stacked in their order. The topmost comes first, because it is drawn first. */
export function stackedLayers(steps: readonly ChartStep[]): Layer[] {
  const layers: Layer[] = [];
  let below: (number | null)[] = steps.map(() => 0);
  for (const [phase, label] of PHASES) {
    if (!steps.some((step) => (step[phase] ?? 0) > 0)) continue;
    const values = steps.map((step, at) => (step.count === 0 ? null : (below[at] ?? 0) + (step[phase] ?? 0)));
    layers.unshift({ phase, label, values });
    below = values;
  }
  return layers;
}

/** How many colours lines have; `--line-0` and so on. */
const LINE_COLOURS = 4;
const DASHES: readonly (readonly number[])[] = [[], [8, 4], [2, 3]];

/** Returns the colour and the dashes of a line. The first twelve lines differ in either. */
export function lineStyle(index: number): { colour: string; dash: number[] } {
  return { colour: `--line-${index % LINE_COLOURS}`, dash: [...DASHES[index % DASHES.length]!] };
}

/** Formats milliseconds for display: `1.5 ms`, `240 ms`, `12.3 s`; a dash if there is no value. */
export function millisecondsText(ms: number | null | undefined): string {
  if (ms == null) return '–';
  if (ms >= 10_000) return `${(ms / 1_000).toFixed(1)} s`;
  return ms === 0 || ms >= 10 ? `${Math.round(ms)} ms` : `${ms.toFixed(1)} ms`;
}

const DAY_SECONDS = 86_400;

/**
 * Returns the text of a mark on the time axis, in the reader's language and time zone. `step` is the distance between
 * marks in seconds: marks of days, and midnight among those of hours, have the date.
 */
export function axisText(seconds: number, step: number, locale?: string): string {
  const at = new Date(seconds * 1_000);
  const isDate = step >= DAY_SECONDS || (at.getHours() === 0 && at.getMinutes() === 0);
  return isDate
    ? at.toLocaleDateString(locale, { day: 'numeric', month: 'short' })
    : at.toLocaleTimeString(locale, { hour: 'numeric', minute: '2-digit' });
}
