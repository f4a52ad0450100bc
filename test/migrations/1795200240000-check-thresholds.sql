INSERT INTO checks (monitor_id, scheduled_at, location, attempt, checked_at, trigger, status, monitor_revision, interval_seconds, response_time_ms, failure_threshold, recovery_threshold)
  VALUES ('01939f4e-0000-7000-8000-000000000021', '2026-11-18 12:15:00+00', 'default', 0, '2026-11-18 12:15:00+00', 'schedule', 'up', 3, 300, 11.5, 2, 1);
