UPDATE notifications SET channel_failed_at = '2026-11-25 13:02:00+00';
UPDATE notification_channel_claims
  SET failures = '{2026-11-25 13:02:00+00,2026-11-25 13:01:00+00,2026-11-25 13:00:00+00}';
