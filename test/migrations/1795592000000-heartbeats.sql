INSERT INTO heartbeats (monitor_id, token_mac, due_at, deadline_at, deadline_code, last_ping_at)
  SELECT id, '\x00ff', now(), now(), 'heartbeat_missed', now() FROM monitors LIMIT 1;
