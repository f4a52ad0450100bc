INSERT INTO unplanned_events (event_id, sequence, failures, retry_at, team_id, resource_type, resource_id)
  VALUES ('01939f4e-0000-7000-8000-0000000000d2', 2, 1, '2026-11-25 04:00:00+00', '01939f4e-0000-7000-8000-000000000001', 'incident', '01939f4e-0000-7000-8000-000000000091');
INSERT INTO notifications (id, team_id, key, alert_key, kind, event_id, incident_id, monitor_ids, policy_id, step, repeat, channel_id, status, reason, collected_into, replaces_trigger, note, attempts, settled, message_id, due_at, next_attempt_at, give_up_at, created_at, sent_at)
  VALUES ('01939f4e-0000-7000-8000-0000000000f1', '01939f4e-0000-7000-8000-000000000001', '01939f4e-0000-7000-8000-000000000091/1/trigger/p/1/0/c', '01939f4e-0000-7000-8000-000000000091/1', 'trigger', '01939f4e-0000-7000-8000-0000000000d2',
    '01939f4e-0000-7000-8000-000000000091', '{01939f4e-0000-7000-8000-000000000021}', '01939f4e-0000-7000-8000-0000000000d1', 1, 0, '01939f4e-0000-7000-8000-0000000000e1', 'sent', NULL, NULL, false, NULL,
    '[{"at": "2026-11-25T04:00:00.000Z", "outcome": "sent", "durationMs": 12, "statusCode": 200, "error": null}]', true, NULL, '2026-11-25 04:00:00+00', NULL, '2026-11-26 04:00:00+00', '2026-11-25 04:00:00+00', '2026-11-25 04:00:01+00');
INSERT INTO notification_timers (alert_key, team_id, subject_id, event, monitors, recorded_at, closed_at, due_at)
  VALUES ('01939f4e-0000-7000-8000-000000000091/1', '01939f4e-0000-7000-8000-000000000001', '01939f4e-0000-7000-8000-000000000091', 'down', '[]', '2026-11-25 04:00:00+00', NULL, '2026-11-25 04:01:00+00');
INSERT INTO notification_channel_claims (channel_id, team_id, claimed_by, claimed_until, blocked_until, collects_until, failing_since)
  VALUES ('01939f4e-0000-7000-8000-0000000000e1', '01939f4e-0000-7000-8000-000000000001', NULL, NULL, NULL, NULL, NULL);
