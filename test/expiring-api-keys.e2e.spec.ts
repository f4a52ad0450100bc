import { expect, it } from '@jest/globals';
import { startApp } from './support/app.js';
import { query } from './support/backup-sample.js';
import { eventually } from './support/eventually.js';

it('reports an API key that expires soon, while the service runs', async () => {
  const teamId = '01939f4e-0000-7000-8000-000000000001';
  const app = await startApp({}, async (url) => {
    await query(url, `INSERT INTO teams (id, name) VALUES ('${teamId}', 'Earlier')`);
    await query(
      url,
      `INSERT INTO api_keys (id, team_id, name, prefix, secret_hash, scopes, created_by, created_at, expires_at)
       VALUES (gen_random_uuid(), '${teamId}', 'CI', 'dw_AAAAAAAA', '\\x01', '{write}', 'system',
         now() - interval '80 days', now() + interval '10 days')`,
    );
    return url;
  });
  try {
    await eventually(async () => {
      const reported = await app.query(`SELECT team_id, resource_name FROM events WHERE type = 'api_key.expiring'`);
      expect(reported).toEqual([{ team_id: teamId, resource_name: 'CI' }]);
    });
  } finally {
    await app.close();
  }
});
