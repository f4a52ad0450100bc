INSERT INTO maintenance_windows (id, team_id, key, name, monitor_ids, tags, starts_at, ends_at, timezone, rrule, public, settled_until)
  VALUES ('01939f4e-0000-7000-8000-000000000071', '01939f4e-0000-7000-8000-000000000001', 'weekly', 'Updates', '{}', '{web}', '2026-11-18 10:30:00+00', '2026-11-18 10:45:00+00', 'Europe/Berlin', 'FREQ=WEEKLY', true, '2026-11-18 13:00:00+00');
INSERT INTO spans (id, monitor_id, kind, starts_at, ends_at, window_id)
  VALUES ('01939f4e-0000-7000-8000-000000000044', '01939f4e-0000-7000-8000-000000000021', 'maintenance', '2026-11-18 10:30:00+00', '2026-11-18 10:45:00+00', '01939f4e-0000-7000-8000-000000000071');
UPDATE monitor_states SET maintenance_from = '2026-11-25 10:30:00+00', maintenance_until = NULL WHERE monitor_id = '01939f4e-0000-7000-8000-000000000021';
