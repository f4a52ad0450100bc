import { type WorkerFigures } from '../../redis/worker-report.js';

/** Where this process reports that it makes checks. */
export abstract class WorkerPresence {
  /** Reports this worker. Throws if the report does not arrive. */
  abstract report(figures: WorkerFigures): Promise<void>;
  /** Withdraws the report, so that the worker no longer counts. */
  abstract leave(): Promise<void>;
}
