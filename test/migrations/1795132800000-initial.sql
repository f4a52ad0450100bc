-- A team whose shop was down for ten minutes, whose mail is down, and whose router is paused.
INSERT INTO teams (id, name, created_at) VALUES ('01939f4e-0000-7000-8000-000000000001', 'Example', '2026-11-18 09:00:00.123+00');
INSERT INTO instance (id, secret_key_fingerprint, created_at) VALUES (1, 'FINGERPRINT', '2026-11-18 09:00:00+00');
INSERT INTO api_keys (id, team_id, name, prefix, secret_hash, scopes, created_by, created_at, previous_prefix, previous_secret_hash, previous_expires_at)
  VALUES ('01939f4e-0000-7000-8000-000000000011', '01939f4e-0000-7000-8000-000000000001', 'First', 'dw_AAAAAAAA', '\x01', '{admin}', 'system', '2026-11-18 09:00:00+00', NULL, NULL, NULL),
    ('01939f4e-0000-7000-8000-000000000012', '01939f4e-0000-7000-8000-000000000001', 'Rotated', 'dw_BBBBBBBB', '\x02', '{read,write}', '01939f4e-0000-7000-8000-000000000011', '2026-11-18 09:00:00+00', 'dw_CCCCCCCC', '\x03', '2026-11-19 09:00:00+00');
INSERT INTO idempotency_keys (team_id, key, fingerprint, claimed_at, expires_at, status_code, headers, body)
  VALUES ('01939f4e-0000-7000-8000-000000000001', 'deploy-1', '\x04', '2026-11-18 09:00:00+00', '2026-11-19 09:00:00+00', 201, '{"ETag": "\"1.0\""}', '{"name": "Shop"}');
INSERT INTO monitors (id, team_id, revision, key, name, type, definition, target, interval_seconds, timeout_ms, failure_threshold, recovery_threshold, locations, quorum, tags, metadata, created_at, updated_at)
  VALUES ('01939f4e-0000-7000-8000-000000000021', '01939f4e-0000-7000-8000-000000000001', 3, 'shop', 'Shop', 'http', '{"url": "https://shop.invalid/"}', 'https://shop.invalid/', 300, 10000, 2, 1, '{default}', 'majority', '{web}', '{"owner": "a"}', '2026-11-18 09:00:00+00', '2026-11-18 09:00:00+00'),
    ('01939f4e-0000-7000-8000-000000000022', '01939f4e-0000-7000-8000-000000000001', 1, NULL, 'Mail', 'tcp', '{"host": "127.0.0.1", "port": 1}', '127.0.0.1:1', 5, 5000, 2, 1, '{default}', 'majority', '{}', '{}', '2026-11-18 09:00:00+00', '2026-11-18 09:00:00+00'),
    ('01939f4e-0000-7000-8000-000000000023', '01939f4e-0000-7000-8000-000000000001', 1, NULL, 'Router', 'ping', '{"host": "router.invalid"}', 'router.invalid', 60, 10000, 2, 1, '{default}', 'majority', '{}', '{}', '2026-11-18 09:00:00+00', '2026-11-18 09:00:00+00');
UPDATE monitors SET paused_at = '2026-11-18 09:30:00+00', pause_reason = 'not there yet' WHERE name = 'Router';
INSERT INTO monitor_states (monitor_id, team_id, status, status_since, version)
  VALUES ('01939f4e-0000-7000-8000-000000000021', '01939f4e-0000-7000-8000-000000000001', 'up', '2026-11-18 12:10:00+00', 9),
    ('01939f4e-0000-7000-8000-000000000022', '01939f4e-0000-7000-8000-000000000001', 'down', '2026-11-18 13:00:00+00', 5),
    ('01939f4e-0000-7000-8000-000000000023', '01939f4e-0000-7000-8000-000000000001', 'paused', '2026-11-18 09:30:00+00', 2);
INSERT INTO location_states (monitor_id, location, fold, holds_until, missing_from, last_check_at, version)
  VALUES ('01939f4e-0000-7000-8000-000000000021', 'default', '{"status": "up", "since": 1795003800000, "streak": {"status": "up", "count": 12, "startedAt": 1795003800000}, "passing": {"count": 12, "startedAt": 1795003800000}, "last": {"checkedAt": 1795007100000, "scheduledAt": 1795007100000, "intervalMs": 300000, "attempt": 0}, "lastError": null}', '2026-11-18 13:10:00+00', '2026-11-18 13:05:00+00', '2026-11-18 13:05:00+00', 9),
    ('01939f4e-0000-7000-8000-000000000022', 'default', '{"status": "down", "since": 1795006800000, "streak": {"status": "down", "count": 4, "startedAt": 1795006800000}, "passing": null, "last": {"checkedAt": 1795007100000, "scheduledAt": 1795007100000, "intervalMs": 5000, "attempt": 0}, "lastError": {"code": "connect_refused", "message": "The connection was refused."}}', '2026-11-18 13:05:05+00', '2026-11-18 13:05:00+00', '2026-11-18 13:05:00+00', 5);
INSERT INTO monitor_checkpoints (monitor_id, location, through, fold)
  VALUES ('01939f4e-0000-7000-8000-000000000021', 'default', '2026-11-18 11:55:00+00', '{"status": "up", "since": 1794992700000, "streak": {"status": "up", "count": 36, "startedAt": 1794992700000}, "passing": {"count": 36, "startedAt": 1794992700000}, "last": {"checkedAt": 1795002900000, "scheduledAt": 1795002900000, "intervalMs": 300000, "attempt": 0}, "lastError": null}');
INSERT INTO transitions (id, monitor_id, location, at, confirmed_at, from_status, to_status, error_code)
  VALUES ('01939f4e-0000-7000-8000-000000000031', '01939f4e-0000-7000-8000-000000000021', 'default', '2026-11-18 09:05:00+00', '2026-11-18 09:05:00+00', 'pending', 'up', NULL),
    ('01939f4e-0000-7000-8000-000000000032', '01939f4e-0000-7000-8000-000000000021', 'default', '2026-11-18 12:00:00+00', '2026-11-18 12:01:40+00', 'up', 'down', 'timeout'),
    ('01939f4e-0000-7000-8000-000000000033', '01939f4e-0000-7000-8000-000000000021', 'default', '2026-11-18 12:10:00+00', '2026-11-18 12:10:00+00', 'down', 'up', NULL),
    ('01939f4e-0000-7000-8000-000000000034', '01939f4e-0000-7000-8000-000000000022', 'default', '2026-11-18 09:05:00+00', '2026-11-18 09:05:00+00', 'pending', 'up', NULL),
    ('01939f4e-0000-7000-8000-000000000035', '01939f4e-0000-7000-8000-000000000022', 'default', '2026-11-18 13:00:00+00', '2026-11-18 13:01:40+00', 'up', 'down', 'connect_refused');
INSERT INTO spans (id, monitor_id, location, kind, starts_at, ends_at, reason)
  VALUES ('01939f4e-0000-7000-8000-000000000041', '01939f4e-0000-7000-8000-000000000023', NULL, 'pause', '2026-11-18 09:30:00+00', NULL, 'not there yet'),
    ('01939f4e-0000-7000-8000-000000000042', '01939f4e-0000-7000-8000-000000000021', 'default', 'gap', '2026-11-18 10:00:00+00', '2026-11-18 10:10:00+00', NULL),
    ('01939f4e-0000-7000-8000-000000000043', NULL, 'default', 'absence', '2026-11-18 11:00:00+00', '2026-11-18 11:01:00+00', NULL);
INSERT INTO daily_rollups (monitor_id, day, location, checks_total, checks_failed, response_count, response_sum_ms, histogram)
  VALUES ('01939f4e-0000-7000-8000-000000000021', '2026-11-18', 'default', 60, 2, 58, 580.5, '{0,58}');
INSERT INTO leases (name, holder, epoch, expires_at, served_until)
  VALUES ('dispatcher', '01939f4e-0000-7000-8000-000000000051', 3, '2026-11-18 13:06:00+00', '2026-11-18 13:05:30+00');
INSERT INTO status_pages (id, team_id, key, name, slug, published, access_type, timezone, history_days, theme)
  VALUES ('01939f4e-0000-7000-8000-000000000061', '01939f4e-0000-7000-8000-000000000001', 'status', 'Example', 'example', true, 'public', 'UTC', 90, 'auto');
INSERT INTO status_page_components (id, team_id, status_page_id, monitor_id, position, name, show_uptime)
  VALUES ('01939f4e-0000-7000-8000-000000000062', '01939f4e-0000-7000-8000-000000000001', '01939f4e-0000-7000-8000-000000000061', '01939f4e-0000-7000-8000-000000000021', 0, 'The shop', true);
CREATE TABLE checks_20261118 PARTITION OF checks FOR VALUES FROM ('2026-11-18') TO ('2026-11-19');
INSERT INTO checks (monitor_id, scheduled_at, location, attempt, checked_at, trigger, status, monitor_revision, interval_seconds, response_time_ms, error_code, error_message)
  VALUES ('01939f4e-0000-7000-8000-000000000021', '2026-11-18 12:00:00+00', 'default', 0, '2026-11-18 12:00:00+00', 'schedule', 'down', 3, 300, NULL, 'timeout', 'The answer did not arrive within the time limit.'),
    ('01939f4e-0000-7000-8000-000000000021', '2026-11-18 12:00:00+00', 'default', 1, '2026-11-18 12:01:40+00', 'retry', 'down', 3, 300, NULL, 'timeout', 'The answer did not arrive within the time limit.'),
    ('01939f4e-0000-7000-8000-000000000021', '2026-11-18 12:10:00+00', 'default', 0, '2026-11-18 12:10:00+00', 'schedule', 'up', 3, 300, 10.5, NULL, NULL);
INSERT INTO check_requests (monitor_id, scheduled_at, location, attempt, trigger)
  VALUES ('01939f4e-0000-7000-8000-000000000023', '2026-11-18 09:10:00+00', 'default', nextval('check_request_attempts'), 'manual');
