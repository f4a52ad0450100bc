import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { dataSource } from '../../database/data-source.js';
import { InvitationRetention } from './invitation-retention.service.js';

let database: TestDatabase;
let source: DataSource;
beforeAll(async () => {
  database = await createTestDatabase();
  source = await dataSource(database.url).initialize();
});
afterAll(async () => {
  await source.destroy();
  await database.drop();
});

it('deletes invitations that expired more than 30 days ago, and no others', async () => {
  const teamId = uuidv7();
  await source.query(`INSERT INTO teams (id, name) VALUES ($1, 'A team')`, [teamId]);
  await source.query(
    `INSERT INTO invitations (id, team_id, role, email, token_hash, created_by, expires_at)
     SELECT gen_random_uuid(), $1, 'viewer', hours || ' hours ago', sha256(hours::text::bytea), 'x',
       now() - hours * interval '1 hour'
     FROM unnest(ARRAY[-168, 0, 719, 721]) AS hours`,
    [teamId],
  );
  await new InvitationRetention(source).deleteExpired();
  const left: { email: string }[] = await source.query('SELECT email FROM invitations ORDER BY expires_at DESC');
  expect(left.map(({ email }) => email)).toEqual(['-168 hours ago', '0 hours ago', '719 hours ago']);
});
