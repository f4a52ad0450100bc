INSERT INTO notification_channels (id, team_id, revision, key, name, type, enabled, settings, last_sent_at, last_failed_at, last_error, failing_since, created_at, updated_at)
  VALUES ('01939f4e-0000-7000-8000-0000000000e1', '01939f4e-0000-7000-8000-000000000001', 1, 'bot', 'Bot', 'webhook', true, '{"url": "https://bot.example/", "headers": {}, "secret": "sealed:v1:AAAA"}',
    '2026-11-24 19:00:00+00', '2026-11-24 20:00:00+00', 'The receiver answered with status 500.', '2026-11-24 20:00:00+00', '2026-11-24 19:00:00+00', '2026-11-24 19:00:00+00');
