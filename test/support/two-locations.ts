import { expect } from '@jest/globals';
import { type ResultStatus } from '../../src/domain/check-result.js';
import { type CheckResult } from '../../src/modules/checker/check-queue.js';
import { type RecorderService } from '../../src/modules/checker/recorder.service.js';
import { type TestApp } from './app.js';
import { type Remote } from './backstage.js';
import { eventually } from './eventually.js';
import { resultOf } from './history.js';
import { httpMonitor } from './monitors.js';

const INTERVAL_SECONDS = 300;
export const [EAST, WEST] = ['east', 'west'];

/** Failing checks that confirm an outage even at the only location with recent results. */
export const FAILURES = [30, 29, 28, 27].map((secondsAgo) => [secondsAgo, 'down'] as const);

/** Two locations without workers, whose results come from the test. */
export class TwoLocations {
  private constructor(private readonly app: TestApp) {}

  /** Adds the locations to a service that only this test uses. */
  static async add(app: TestApp): Promise<TwoLocations> {
    for (const key of [EAST, WEST]) {
      await app.query('INSERT INTO locations (id, key, name) VALUES (gen_random_uuid(), $1, $1)', [key]);
    }
    return new TwoLocations(app);
  }

  /** Creates a monitor at both locations. Running processes know new locations after two seconds. */
  async create(more: Record<string, unknown> = {}): Promise<string> {
    const definition = { intervalSeconds: INTERVAL_SECONDS, locations: [EAST, WEST], quorum: 'majority', ...more };
    const api = this.app.api(this.app.teams.ours.write);
    return eventually(async () => {
      const made = await api.post<{ id: string }>('/v1/monitors', httpMonitor('http://127.0.0.1:9/', definition));
      expect(made.status).toBe(201);
      return made.body.id;
    });
  }

  /** Records checks of a monitor that began these seconds ago at a location. Returns when they began. */
  async record(id: string, location: string, checks: readonly (readonly [number, ResultStatus])[]): Promise<string[]> {
    const results = checks.map(([secondsAgo, status], attempt) =>
      resultAt(id, location, secondsAgo, status, attempt % 2),
    );
    for (const one of results) await this.recorder.record([one]);
    return results.map(({ checkedAt }) => new Date(checkedAt).toISOString());
  }

  /** Records checks in one batch; each one is at both locations, unless it names one. */
  async recordTogether(id: string, checks: readonly (readonly [number, ResultStatus, string?])[]): Promise<void> {
    const results = checks.flatMap(([secondsAgo, status, only]) =>
      (only === undefined ? [EAST, WEST] : [only]).map((location) => resultAt(id, location, secondsAgo, status)),
    );
    await this.recorder.record(results);
  }

  private get recorder(): Remote<RecorderService> {
    return this.app.backstage.provider<RecorderService>('RecorderService');
  }

  /**
   * Records that a monitor was up at both locations, and then went down in the east, 30 seconds ago. Returns when the
   * failing checks began.
   */
  async failInTheEast(id: string): Promise<string[]> {
    await this.record(id, EAST, [[40, 'up']]);
    await this.record(id, WEST, [[39, 'up']]);
    return this.record(id, EAST, [
      [30, 'down'],
      [29, 'down'],
    ]);
  }
}

function resultAt(id: string, location: string, secondsAgo: number, status: ResultStatus, attempt = 0): CheckResult {
  const at = Date.now() - secondsAgo * 1_000;
  return { ...resultOf(id, at, at, status, { location }), attempt };
}
