INSERT INTO subscriber_webhooks (id, subscriber_id, url, secret, status, error, due_at, failures, failing_since, end_unreported)
  VALUES ('01939f4e-0000-7000-8000-0000000001b1', '01939f4e-0000-7000-8000-0000000001a1', 'sealed:v1:AAAA', 'sealed:v1:AAAA', 'active', 'x', '2026-11-26 13:05:00+00', 1, '2026-11-26 13:00:00+00', true);
INSERT INTO subscriber_webhook_deliveries (id, webhook_id, publication_id, status, last_attempt_at, error)
  VALUES ('01939f4e-0000-7000-8000-0000000001b2', '01939f4e-0000-7000-8000-0000000001b1', '01939f4e-0000-7000-8000-0000000001a3', 'pending', '2026-11-26 13:00:00+00', 'x');
