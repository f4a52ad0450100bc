import { type WorkerReport } from '../../redis/worker-report.js';

/** What a worker reports about its work. */
export type WorkerFigures = Pick<WorkerReport, 'busyPercent' | 'checksPerSecond' | 'lagMs'>;

/** Where this process reports that it makes checks. */
export abstract class WorkerPresence {
  /** Reports this worker. Throws if the report does not arrive. */
  abstract report(figures: WorkerFigures): Promise<void>;
  /** Withdraws the report, so that the worker no longer counts. */
  abstract leave(): Promise<void>;
}
