INSERT INTO notification_policies (id, team_id, key, name, enabled, active_since, match, events, steps, repeat_every_seconds, quiet_hours, created_at, updated_at)
  VALUES ('01939f4e-0000-7000-8000-0000000000d1', '01939f4e-0000-7000-8000-000000000001', 'production', 'Production', true, '2026-11-24 19:00:00+00',
    '{"tags": ["production"]}', '{down,unknown}', '[{"afterSeconds": 0, "channelIds": ["01939f4e-0000-7000-8000-0000000000e1"]}]', 1800,
    '{"timezone": "Europe/Berlin", "days": ["monday"], "from": "22:00", "to": "07:00", "except": ["down"]}', '2026-11-24 19:00:00+00', '2026-11-24 19:00:00+00');
INSERT INTO silences (id, team_id, match, reason, created_by, created_at, ends_at)
  VALUES ('01939f4e-0000-7000-8000-0000000000d2', '01939f4e-0000-7000-8000-000000000001', '{"all": true}', 'A known fault', 'api-key:x', '2026-11-24 19:00:00+00', '2026-11-25 19:00:00+00');
