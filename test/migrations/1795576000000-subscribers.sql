UPDATE status_pages SET announce_detected = true, announce_after_seconds = 60;
UPDATE maintenance_windows SET notify_subscribers = true;
INSERT INTO status_page_subscribers (id, team_id, status_page_id, email, status, component_ids, consent_source, confirmed_at, due_at, last_attempt_at, failures)
  SELECT '01939f4e-0000-7000-8000-0000000001a1', team_id, id, 'jo@example.com', 'active', '{}', 'Import', '2026-11-25 13:00:00+00', '2026-11-25 13:05:00+00', '2026-11-25 13:00:00+00', 1 FROM status_pages ORDER BY id LIMIT 1;
INSERT INTO erased_subscribers (status_page_id, address_hash, team_id, erased_at)
  SELECT id, '\x0b', team_id, '2026-11-25 13:00:00+00' FROM status_pages ORDER BY id LIMIT 1;
INSERT INTO subscription_letters (id, address_hash, created_at)
  VALUES ('01939f4e-0000-7000-8000-0000000001a2', '\x0b', '2026-11-25 13:00:00+00');
INSERT INTO subscriber_publications (id, team_id, status_page_id, source, content, component_ids, published_at)
  SELECT '01939f4e-0000-7000-8000-0000000001a3', team_id, id, 'event:x', '{"state": "identified"}', '{}', '2026-11-25 13:00:00+00' FROM status_pages ORDER BY id LIMIT 1;
INSERT INTO subscriber_deliveries (subscriber_id, publication_id, status)
  VALUES ('01939f4e-0000-7000-8000-0000000001a1', '01939f4e-0000-7000-8000-0000000001a3', 'pending');
INSERT INTO unpublished_events (event_id, sequence) VALUES ('01939f4e-0000-7000-8000-0000000001a4', 1);
