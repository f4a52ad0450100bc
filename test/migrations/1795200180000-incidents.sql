INSERT INTO incidents (id, team_id, revision, kind, title, impact, started_at, confirmed_at, acknowledged_at, acknowledged_by, outage_count, cause)
  VALUES ('01939f4e-0000-7000-8000-000000000091', '01939f4e-0000-7000-8000-000000000001', 2, 'detected', 'Mail is down', 'down', '2026-11-18 13:00:00+00', '2026-11-18 13:01:40+00', '2026-11-18 13:02:00+00', '01939f4e-0000-7000-8000-000000000011', 1, '{"errorCode": "connect_refused", "message": "The connection was refused.", "firstFailedCheckId": null, "lastFailedCheckId": null, "failedAssertions": []}'),
    ('01939f4e-0000-7000-8000-000000000092', '01939f4e-0000-7000-8000-000000000001', 1, 'manual', 'Slow deliveries', 'degraded', '2026-11-18 10:00:00+00', NULL, NULL, NULL, 0, NULL);
INSERT INTO incident_monitors (incident_id, monitor_id, team_id)
  VALUES ('01939f4e-0000-7000-8000-000000000091', '01939f4e-0000-7000-8000-000000000022', '01939f4e-0000-7000-8000-000000000001'),
    ('01939f4e-0000-7000-8000-000000000092', '01939f4e-0000-7000-8000-000000000021', '01939f4e-0000-7000-8000-000000000001');
INSERT INTO incident_updates (id, incident_id, at, phase, text, author, public)
  VALUES ('01939f4e-0000-7000-8000-000000000093', '01939f4e-0000-7000-8000-000000000092', '2026-11-18 10:05:00+00', 'investigating', E'We are on it.\nMore soon.', '01939f4e-0000-7000-8000-000000000011', true);
