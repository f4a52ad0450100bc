import { type Counts, type Finding, type Measures, type Verdict } from './verdict.js';

/** The report of one seed, as plain data, because another process simulates the seed. */
export interface SeedReport {
  seed: number;
  counts: Counts;
  findings: number;
  /** The first few findings of each kind. */
  examples: Finding[];
  missed: number;
  falseDowns: number;
  startErrors: Spread;
  endErrors: Spread;
  confirmations: Spread;
  worstDay: number;
  worstWindow: number;
  seconds: number;
  heapMegabytes: number;
}

export interface Spread {
  median: number;
  p99: number;
  worst: number;
}

const EXAMPLES = 5;

export function reportOf(seed: number, verdict: Verdict, seconds: number): SeedReport {
  const { counts, findings, measures } = verdict;
  const seen = new Map<string, number>();
  const examples = findings.filter(({ kind }) => {
    seen.set(kind, (seen.get(kind) ?? 0) + 1);
    return seen.get(kind)! <= EXAMPLES;
  });
  return {
    seed,
    counts,
    findings: findings.length,
    examples,
    missed: verdict.count('missed'),
    falseDowns: verdict.count('false_down'),
    ...spreads(measures),
    worstDay: measures.worstDay,
    worstWindow: measures.worstWindow,
    seconds,
    heapMegabytes: Math.round(process.memoryUsage().heapUsed / 1e6),
  };
}

function spreads({ startErrors, endErrors, confirmations }: Measures) {
  return { startErrors: spread(startErrors), endErrors: spread(endErrors), confirmations: spread(confirmations) };
}

/** Returns the spread of the absolute values; all 0 if there are none. */
function spread(values: readonly number[]): Spread {
  const sorted = values.map(Math.abs).sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return { median: at(0.5), p99: at(0.99), worst: at(1) };
}

const COLUMNS: readonly (readonly [name: string, of: (report: SeedReport) => string])[] = [
  ['seed', ({ seed }) => String(seed)],
  ['monitors', ({ counts }) => String(counts.monitors)],
  ['checks', ({ counts }) => String(counts.checks)],
  ['outages', ({ counts }) => String(counts.outages)],
  ['certain', ({ counts }) => String(counts.certain)],
  ['detected', ({ counts }) => String(counts.detected)],
  ['missed', ({ missed }) => String(missed)],
  ['false', ({ falseDowns }) => String(falseDowns)],
  ['incidents', ({ counts }) => String(counts.incidents)],
  ['alerts', ({ counts }) => String(counts.alerts)],
  ['messages', ({ counts }) => String(counts.messages)],
  ['loss', ({ counts }) => String(counts.lossConfirmed)],
  ['start error', ({ startErrors }) => pair(startErrors)],
  ['end error', ({ endErrors }) => pair(endErrors)],
  ['day', ({ worstDay }) => worstDay.toFixed(3)],
  ['window', ({ worstWindow }) => worstWindow.toFixed(3)],
  ['confirmed after', ({ confirmations: { median, p99, worst } }) => [median, p99, worst].map(short).join('/')],
  ['replayed', ({ counts }) => String(counts.replayed)],
  ['findings', ({ findings }) => String(findings)],
  ['checks/s', ({ counts, seconds }) => String(Math.round(counts.checks / seconds))],
  ['seconds', ({ seconds }) => String(Math.round(seconds))],
];

const short = (value: number): string => value.toFixed(3);
const pair = ({ median, worst }: Spread): string => `${short(median)}/${short(worst)}`;

/**
 * Returns a table with one line per seed: errors of edges in intervals (median/worst), uptime errors of days and
 * windows as shares of their bounds (worst), and the time to confirm as a share of its bound (median/p99/worst).
 */
export function table(reports: readonly SeedReport[]): string {
  const rows = [COLUMNS.map(([name]) => name), ...reports.map((report) => COLUMNS.map(([, of]) => of(report)))];
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) => row.map((cell, column) => cell.padStart(widths[column]!)).join('  ')).join('\n');
}

export function exampleLines(report: SeedReport): string[] {
  return report.examples.map(
    ({ seed, monitor, kind, text }) =>
      `${kind}: ${text} (--first-seed ${seed} --seeds 1 --from ${monitor} --monitors 1)`,
  );
}
