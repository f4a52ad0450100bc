import { validate as isUuid } from 'uuid';

/** What a worker reports about its work. */
export interface WorkerFigures {
  /** Share of the time in which its probe threads worked, from 0 to 100. */
  busyPercent: number;
  checksPerSecond: number;
  /** By how many milliseconds scheduled checks started after their slots, on average. */
  lagMs: number;
}

/** What is known of a worker. Times are epoch milliseconds. */
export interface WorkerReport extends WorkerFigures {
  id: string;
  version: string;
  startedAt: number;
  lastSeenAt: number;
}

/** Time between two reports. */
export const REPORT_EVERY_MS = 2_000;
/** A worker that has not reported for this long is not counted. */
export const SEEN_WITHIN_MS = 10_000;

/** The last time that a date can represent. */
const LAST_MS = 8.64e15;
const FIGURES = ['startedAt', 'lastSeenAt', 'busyPercent', 'checksPerSecond', 'lagMs'] as const;

/** Reads a report that is stored in Redis, where each worker of the location can write. Returns null if it is not one. */
export function readReport(text: string): WorkerReport | null {
  let report: Partial<WorkerReport> | null;
  try {
    report = JSON.parse(text) as Partial<WorkerReport> | null;
  } catch {
    return null;
  }
  const isFigure = (value: unknown): boolean => typeof value === 'number' && Math.abs(value) <= LAST_MS;
  if (!report || !isUuid(report.id) || typeof report.version !== 'string') return null;
  return FIGURES.every((figure) => isFigure(report[figure])) ? (report as WorkerReport) : null;
}

/** The hash in Redis with the reports of the workers of a location, by their ids. */
export function workersKey(prefix: string, location: string): string {
  return `${prefix}:workers-${location}`;
}
