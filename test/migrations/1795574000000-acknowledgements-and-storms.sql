UPDATE incidents SET acknowledged_until = '2026-11-18 15:00:00+00' WHERE id = '01939f4e-0000-7000-8000-000000000091';
UPDATE notifications SET storm_key = 'storm/a', refresh_at = '2026-11-25 04:01:00+00' WHERE id = '01939f4e-0000-7000-8000-0000000000f1';
UPDATE notification_channel_claims SET storm = '{"openedAt": [1], "storm": {"alertKey": "storm/a", "open": ["a"]}}' WHERE channel_id = '01939f4e-0000-7000-8000-0000000000e1';
