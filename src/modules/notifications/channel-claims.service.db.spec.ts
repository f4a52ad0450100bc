import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { alertingSource } from '../../../test/support/alerting-process.js';
import { createTestDatabase } from '../../../test/support/database.js';
import { readConfig } from '../../config/app-config.js';
import { MINUTE_MS } from '../../domain/durations.js';
import { ChannelClaimsService } from './channel-claims.service.js';

const NOW = Date.UTC(2026, 4, 1, 12);
const teamId = uuidv7();
const minutesAgo = (minutes: number | null) => (minutes === null ? null : new Date(NOW - minutes * MINUTE_MS));

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let source: DataSource;
let claims: ChannelClaimsService;
beforeAll(async () => {
  database = await createTestDatabase();
  source = await alertingSource(database.url, 2);
  claims = new ChannelClaimsService(source, readConfig({}));
  await source.query('INSERT INTO teams (id, name) VALUES ($1, $2)', [teamId, 'Team']);
});
afterAll(async () => {
  await source?.destroy();
  await database?.drop();
});

interface DueChannel {
  dueAgo: number;
  failingAgo?: number;
  blockedAgo?: number;
}

/** Stores a channel with one notification that is due. All times are minutes before now. */
async function add({ dueAgo, failingAgo, blockedAgo }: DueChannel): Promise<string> {
  const id = uuidv7();
  await source.query(
    `INSERT INTO notification_channel_claims (channel_id, team_id, failing_since, blocked_until)
     VALUES ($1, $2, $3, $4)`,
    [id, teamId, minutesAgo(failingAgo ?? null), minutesAgo(blockedAgo ?? null)],
  );
  await source.query(
    `INSERT INTO notifications (id, team_id, key, alert_key, kind, event_id, monitor_ids, step, repeat, channel_id,
       status, due_at, next_attempt_at, created_at)
     VALUES ($1, $2, $1::uuid::text, $1::uuid::text, 'trigger', $1, '{}', 1, 0, $1, 'pending', $3, $3, $3)`,
    [id, teamId, minutesAgo(dueAgo)],
  );
  return id;
}

/** Claims all channels, and returns their ids in that order. */
async function claimAll(withFailing?: boolean): Promise<string[]> {
  const ids: string[] = [];
  for (let next = await claims.next(NOW, withFailing); next; next = await claims.next(NOW, withFailing)) {
    ids.push(next.channelId);
  }
  return ids;
}

it('serves channels that work before those that fail, and of these the one that has waited for longest', async () => {
  // What a failing channel was last tried with was due long ago.
  const dead = await add({ dueAgo: 600, failingAgo: 600, blockedAgo: 1 });
  const deadForLonger = await add({ dueAgo: 900, failingAgo: 900, blockedAgo: 0 });
  const triedBefore = await add({ dueAgo: 60, failingAgo: 60, blockedAgo: 2 });
  const second = await add({ dueAgo: 1 });
  const first = await add({ dueAgo: 5 });
  expect(await claimAll(false)).toEqual([first, second]);
  expect(await claimAll()).toEqual([triedBefore, dead, deadForLonger]);
});
