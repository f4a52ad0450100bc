INSERT INTO unobserved_monitors (group_id, monitor_id, team_id, cause, unobserved_since, joined_at, left_at, left_how)
  SELECT '01939f4e-0000-7000-8000-0000000000d9', id, team_id, 'no_results', '2026-11-26 13:00:00+00', '2026-11-26 13:05:00+00', '2026-11-26 13:10:00+00', 'resolved'
  FROM monitors WHERE name = 'Shop';
