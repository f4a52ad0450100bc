INSERT INTO domain_registrations (monitor_id, team_id, domain, registrar, expires_at, read_at, raised_days, due_at)
  SELECT id, team_id, 'shop.example', 'Example Registrar', '2026-12-09 13:00:00+00', '2026-11-25 13:00:00+00', 14,
    '2026-12-02 13:00:00+00'
  FROM monitors WHERE name = 'Shop';
UPDATE teams SET unreported_at = '2026-11-25 13:00:00+00' WHERE id = (SELECT team_id FROM monitors WHERE name = 'Shop');
