import { parseArgs } from 'node:util';

/** Size of a data set. */
export interface DatasetShape {
  monitors: number;
  /** UTC days of history, including today. */
  days: number;
  /** Approximate number of check rows. */
  checks: number;
}

export interface DatasetOptions extends DatasetShape {
  /** The `DATA_DIR` of the cluster that contains the data set. */
  dir: string;
}

const OPTIONS = {
  monitors: { type: 'string', default: '100000' },
  days: { type: 'string', default: '90' },
  checks: { type: 'string', default: '30000000' },
  dir: { type: 'string', default: 'build/bench/dataset' },
} as const;

/** Parses the options that `dataset` and `reads` share; returns further options in `rest`, unparsed. */
export function datasetOptions(args: readonly string[], more: Record<string, string> = {}) {
  const own = Object.entries(more).map(([name, value]) => [name, { type: 'string', default: value }] as const);
  const { values } = parseArgs({ args: [...args], options: { ...OPTIONS, ...Object.fromEntries(own) } });
  const { dir, monitors, days, checks, ...rest } = values as Record<string, string>;
  const options: DatasetOptions = {
    dir: dir!,
    monitors: wholeNumber('monitors', monitors),
    days: wholeNumber('days', days),
    checks: wholeNumber('checks', checks),
  };
  return { options, rest };
}

export function wholeNumber(name: string, text: string | undefined): number {
  if (!/^\d+$/.test(text ?? '')) throw new Error(`--${name} must be a whole number`);
  return Number(text);
}
