INSERT INTO certificates (team_id, fingerprint, subject, issuer, valid_from, valid_until, raised_days, due_at)
  SELECT team_id, repeat('0a', 32), 'CN=shop.example', 'CN=Test CA', '2026-09-01 13:00:00+00', '2026-12-01 13:00:00+00', 7, '2026-11-28 13:00:00+00'
  FROM monitors WHERE name = 'Shop';
INSERT INTO monitor_certificates (monitor_id, team_id, fingerprint, read_at)
  SELECT id, team_id, repeat('0a', 32), '2026-11-25 13:00:00+00' FROM monitors WHERE name = 'Shop';
