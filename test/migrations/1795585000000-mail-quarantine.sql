UPDATE status_page_subscribers SET status = 'bounced', status_reason = 'No such user';
INSERT INTO quarantined_addresses (address_hash, status, reason, transient_bounces, counted_at, message_ids, updated_at)
  VALUES ('\x0b', 'bounced', 'No such user', 1, '2026-11-25 13:00:00+00', '{msg_1}', '2026-11-26 13:00:00+00');
