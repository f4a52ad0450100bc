import { startApp, type TestApp } from '../support/app.js';
import { MAIL_EVENTS_SECRET } from '../support/mail-events.js';
import { startTarget } from '../support/target.js';

export const METRICS_TOKEN = 'a token for metrics alone';

export interface FuzzedService {
  app: TestApp;
  /** The origin for the targets of monitors. */
  targetOrigin: string;
  close(): Promise<void>;
}

/** Starts the whole service with its checker, and a target for its monitors. */
export async function startFuzzedApp(): Promise<FuzzedService> {
  const target = await startTarget();
  const app = await startApp({ MIN_INTERVAL_SECONDS: '20', METRICS_TOKEN, MAIL_EVENTS_SECRET });
  return {
    app,
    targetOrigin: target.origin,
    close: async () => {
      await app.close();
      await target.close();
    },
  };
}
