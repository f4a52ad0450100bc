import { beforeEach, describe, expect, it } from '@jest/globals';
import { type DataSource } from 'typeorm';
import { type TestDatabase } from '../../../test/support/database.js';
import { useSource } from '../../../test/support/use-source.js';
import { readConfig } from '../../config/app-config.js';
import { InProcessQueue } from './in-process.queue.js';
import { ProcessesService } from './processes.service.js';
import { type ResultIntakeService } from './result-intake.service.js';
import { WaitingReportsService } from './waiting-reports.service.js';

let database: TestDatabase;
let source: DataSource;
useSource((opened, its) => ([source, database] = [opened, its]));
beforeEach(() => source.query('DELETE FROM processes'));

/** A process with these roles, which has reports to record until `recordedUntil` is set. */
function make(roles: string) {
  const config = readConfig({ ROLES: roles, REDIS_URL: 'redis://127.0.0.1:6379', DATABASE_URL: database.url });
  const intake = { reportsRecordedUntil: Number.NEGATIVE_INFINITY };
  const processes = new ProcessesService(source, config, new InProcessQueue());
  return { intake, reports: new WaitingReportsService(config, processes, intake as ResultIntakeService) };
}

describe('reports of jobs that wait to be recorded', () => {
  it('are known to other processes from the next note until they are recorded', async () => {
    const [one, other] = [make('api'), make('api')];
    expect(await other.reports.areElsewhere()).toBe(false);
    await one.reports.note();
    await one.reports.note();
    expect([await one.reports.areElsewhere(), await other.reports.areElsewhere()]).toEqual([false, true]);
    one.intake.reportsRecordedUntil = Number.POSITIVE_INFINITY;
    await one.reports.note();
    expect(await other.reports.areElsewhere()).toBe(false);
  });

  it('are not waited for once their process has ended, or if it does not record them within ten minutes', async () => {
    const [one, other] = [make('api'), make('api')];
    for (const change of [`seen_at = now() - interval '11 s'`, `reports_since = now() - interval '601 s'`]) {
      await one.reports.note();
      expect(await other.reports.areElsewhere()).toBe(true);
      await source.query(`UPDATE processes SET ${change}`);
      expect(await other.reports.areElsewhere()).toBe(false);
    }
  });

  it('are accepted only by processes with the role api', async () => {
    await make('recorder').reports.note();
    expect(await make('api').reports.areElsewhere()).toBe(false);
  });
});
