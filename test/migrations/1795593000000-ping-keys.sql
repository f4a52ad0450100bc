INSERT INTO ping_keys (id, team_id, name, prefix, mac, created_by)
  SELECT gen_random_uuid(), id, 'Cron', '4fJq0', '\x00ff', 'system' FROM teams LIMIT 1;
