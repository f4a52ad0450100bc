INSERT INTO processes (id, roles, version) VALUES
  ('01939f4e-0000-7000-8000-0000000000f1', '{api,dispatcher}', '0.1.0');
INSERT INTO spans (id, location, shard, shards, kind, starts_at, ends_at, reason) VALUES
  ('01939f4e-0000-7000-8000-0000000000f2', 'default', 3, 16, 'absence', '2026-11-20 04:00:00+00', '2026-11-20 04:00:10+00', 'not_running');
UPDATE instance SET shards = 16;
