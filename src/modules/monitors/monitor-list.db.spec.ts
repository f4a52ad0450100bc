import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { createTestDatabase } from '../../../test/support/database.js';
import { SEVERITY } from './monitor-list.service.js';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let client: Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

describe('the order by severity', () => {
  it('is that of its index, so that a list reads no more rows than it shows', async () => {
    // Otherwise, the few rows of an empty table would be read whole and sorted.
    await client.query('SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_sort = off');
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT s.monitor_id FROM monitor_states s WHERE s.team_id = $1
       ORDER BY ${SEVERITY}, s.status_since, s.monitor_id`,
      ['00000000-0000-0000-0000-000000000000'],
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('using monitor_states_severity');
    expect(plan).not.toContain('Sort');
  });
});
