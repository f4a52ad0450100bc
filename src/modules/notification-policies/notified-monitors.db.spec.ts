import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { type DataSource } from 'typeorm';
import { createTestDatabase } from '../../../test/support/database.js';
import { dataSource } from '../../database/data-source.js';
import { matches } from '../../domain/notification-plan/matches.js';
import { type PolicyMatch } from '../../domain/notification-plan/policy.js';
import { notifiedCondition } from './notified-monitors.query.js';
import { UnheardMonitors } from './unheard-monitors.service.js';

const TAGS = ['a', 'b', 'c'];
const TYPES = ['http', 'tcp'];

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let source: DataSource;
let channels: { used: string; disabled: string };
const ours = randomUUID();
const monitors = TYPES.flatMap((type) =>
  [[], ['a'], ['b'], ['a', 'b'], ['a', 'b', 'c']].map((tags) => ({ id: randomUUID(), type, tags })),
);
beforeAll(async () => {
  database = await createTestDatabase();
  source = await dataSource(database.url, 2).initialize();
  await source.query(`INSERT INTO teams (id, name) VALUES ($1, 'Ours')`, [ours]);
  channels = { used: await addChannel(true), disabled: await addChannel(false) };
  for (const { id, type, tags } of monitors) {
    await source.query(
      `INSERT INTO monitors (id, team_id, name, type, definition, target, interval_seconds, timeout_ms, failure_threshold,
         recovery_threshold, locations, quorum, metadata, tags)
       VALUES ($1, $2, 'M', $3, '{}', 'example.com', 60, 10000, 2, 1, '{default}', 'majority', '{}', $4)`,
      [id, ours, type, tags],
    );
  }
});
afterAll(async () => {
  await source?.destroy();
  await database?.drop();
});

async function addChannel(enabled: boolean): Promise<string> {
  const id = randomUUID();
  const columns = `id, team_id, revision, name, type, enabled, settings, created_at, updated_at`;
  await source.query(
    `INSERT INTO notification_channels (${columns}) VALUES ($1, $2, 1, 'c', 'webhook', $3, '{}', now(), now())`,
    [id, ours, enabled],
  );
  return id;
}

interface Policy {
  match?: PolicyMatch;
  enabled?: boolean;
  events?: string[];
  channelIds?: string[];
}

/** Stores these policies in place of all others, and returns the ids of the monitors of which somebody is notified. */
async function notified(policies: readonly Policy[]): Promise<string[]> {
  await source.query('DELETE FROM notification_policies');
  for (const { match = { all: true }, enabled = true, events = ['down'], channelIds = [channels.used] } of policies) {
    const columns = 'id, team_id, revision, name, enabled, active_since, match, events, steps, created_at, updated_at';
    await source.query(
      `INSERT INTO notification_policies (${columns})
       VALUES (gen_random_uuid(), $1, 1, 'p', $2, now(), $3, $4, $5, now(), now())`,
      [ours, enabled, JSON.stringify(match), events, JSON.stringify([{ afterSeconds: 0, channelIds }])],
    );
  }
  const query = (team: string) => `SELECT m.id FROM monitors m WHERE m.team_id = $1 AND ${notifiedCondition(team)}`;
  const idsOf = async (team: string) => {
    const rows: { id: string }[] = await source.query(query(team), [ours]);
    return rows.map(({ id }) => id).sort();
  };
  const ids = await idsOf('$1');
  expect(await idsOf('m.team_id')).toEqual(ids);
  return ids;
}

const all = monitors.map(({ id }) => id).sort();
const someOf = (values: readonly string[]) => fc.option(fc.subarray([...values]), { nil: undefined });
const MATCH: fc.Arbitrary<PolicyMatch> = fc.oneof(
  fc.constant<PolicyMatch>({ all: true }),
  fc
    .record({
      monitorIds: someOf(monitors.slice(0, 3).map(({ id }) => id)),
      tags: someOf(TAGS),
      allTags: someOf(TAGS),
      notTags: someOf(TAGS),
      types: someOf(TYPES),
    })
    .map((members) => JSON.parse(JSON.stringify(members)) as PolicyMatch),
);

describe('the monitors of which somebody is notified', () => {
  it('are those that a policy of the planner matches', async () => {
    const cases = fc.array(MATCH, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(cases, async (found) => {
        const expected = monitors.filter((one) => found.some((match) => matches(match, one))).map(({ id }) => id);
        expect(await notified(found.map((match) => ({ match })))).toEqual(expected.sort());
      }),
      { numRuns: 150 },
    );
  });

  it.each<[string, () => Policy, boolean]>([
    ['an enabled policy with an enabled channel', () => ({}), true],
    ['a policy of which one channel is enabled', () => ({ channelIds: [channels.disabled, channels.used] }), true],
    ['a disabled policy', () => ({ enabled: false }), false],
    ['a policy for other events', () => ({ events: ['degraded', 'unknown'] }), false],
    ['a policy whose channels are disabled', () => ({ channelIds: [channels.disabled] }), false],
    ['a policy without channels', () => ({ channelIds: [] }), false],
    ['a policy whose channel was deleted', () => ({ channelIds: [randomUUID()] }), false],
  ])('with %s', async (_, policy, isNotified) => {
    expect(await notified([policy()])).toEqual(isNotified ? all : []);
  });

  it('are counted over all teams', async () => {
    const service = new UnheardMonitors(source);
    await notified([]);
    expect(await service.count()).toEqual({ unheard: monitors.length, total: monitors.length });
    await notified([{ match: { tags: ['a'] } }]);
    const unheard = monitors.filter(({ tags }) => !tags.includes('a')).length;
    expect(await service.count()).toEqual({ unheard, total: monitors.length });
  });
});
