import { startApp, type TestApp } from '../support/app.js';
import { startTarget } from '../support/target.js';

export const METRICS_TOKEN = 'a token for metrics alone';

export interface FuzzedService {
  app: TestApp;
  /** Where monitors may be pointed at. */
  targetOrigin: string;
  close(): Promise<void>;
}

/** The whole service with its checker, and something for it to check. */
export async function startFuzzedApp(): Promise<FuzzedService> {
  const target = await startTarget();
  const app = await startApp({ MIN_INTERVAL_SECONDS: '20', METRICS_TOKEN });
  return {
    app,
    targetOrigin: target.origin,
    close: async () => {
      await app.close();
      await target.close();
    },
  };
}
