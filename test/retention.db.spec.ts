import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { readConfig } from '../src/config/app-config.js';
import { dataSource } from '../src/database/data-source.js';
import { DAY_MS } from '../src/domain/durations.js';
import { PartitionsService } from '../src/modules/checks/partitions.service.js';
import { EventRetention } from '../src/modules/events/event-retention.service.js';
import { NotificationRetention } from '../src/modules/notifications/notification-retention.service.js';
import { createTestDatabase } from './support/database.js';

const { now } = Date;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let source: DataSource;
beforeAll(async () => {
  database = await createTestDatabase();
  source = await dataSource(database.url).initialize();
});
afterAll(async () => {
  Date.now = now;
  await source.destroy();
  await database.drop();
});

/** Stores a check partition, an event and an alert that are this old. */
async function store(days: number): Promise<void> {
  const [teamId, eventId, at] = [uuidv7(), uuidv7(), new Date(now() - days * DAY_MS)];
  await new PartitionsService(source, readConfig({})).ensure([at.getTime()]);
  await source.query(`INSERT INTO teams (id, name) VALUES ($1, 'A team')`, [teamId]);
  await source.query(
    `INSERT INTO events (id, team_id, era, transaction_id, type, occurred_at, recorded_at, actor_type, resource_type,
       resource_id, data) VALUES ($1, $2::uuid, 1, 1, 'team.updated', $3, $3, 'system', 'team', $2::text, '{}')`,
    [eventId, teamId, at],
  );
  await source.query(
    `INSERT INTO notification_timers (alert_key, team_id, subject_id, event, monitors, recorded_at, closed_at)
     VALUES ($1, $2, $3, 'down', '[]', $4, $4)`,
    [eventId, teamId, uuidv7(), at],
  );
}

/** Returns how many of them are stored. Other partitions are newer. */
async function stored(): Promise<{ partitions: number; events: number; alerts: number }> {
  const [row]: { partitions: number; events: number; alerts: number }[] = await source.query(
    `SELECT (SELECT count(*)::int FROM pg_inherits JOIN pg_class p ON p.oid = inhrelid
         WHERE inhparent = 'checks'::regclass AND relname < $1) AS partitions,
       (SELECT count(*)::int FROM events) AS events, (SELECT count(*)::int FROM notification_timers) AS alerts`,
    [`checks_${new Date(now() - 50 * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '')}`],
  );
  return row!;
}

async function deleteOld(): Promise<void> {
  const config = readConfig({ RETENTION_DAYS: '90', EVENT_RETENTION_DAYS: '90' });
  await new PartitionsService(source, config).maintain();
  await new EventRetention(source, config).deleteExpired();
  await new NotificationRetention(source, config).deleteExpired();
}

it('deletes nothing that is not old by the clock of the database, although the clock of the process is a year ahead', async () => {
  await store(60);
  await store(91);
  Date.now = () => now() + 365 * DAY_MS;
  await deleteOld();
  expect(await stored()).toEqual({ partitions: 1, events: 1, alerts: 1 });
});

it('deletes nothing that is not old by the clock of the process, which may be right', async () => {
  await store(91);
  Date.now = () => now() - 30 * DAY_MS;
  await deleteOld();
  expect(await stored()).toEqual({ partitions: 2, events: 2, alerts: 2 });
});
