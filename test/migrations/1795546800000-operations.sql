INSERT INTO operations (id, team_id, action, parameters, created_by, started_at, claimed_by, claimed_until)
  VALUES ('01939f4e-0000-7000-8000-0000000000b1', '01939f4e-0000-7000-8000-000000000001', 'pause', 'sealed:v1:AAAA', 'api-key:x', '2026-11-24 19:00:00+00', '01939f4e-0000-7000-8000-0000000000b2', 'infinity');
INSERT INTO operation_items (operation_id, place, address, name, status, error)
  VALUES ('01939f4e-0000-7000-8000-0000000000b1', 1, '01939f4e-0000-7000-8000-0000000000c1', 'Shop', NULL, NULL),
    ('01939f4e-0000-7000-8000-0000000000b1', 2, 'key:nobody', NULL, 'failed', '{"code": "not_found", "detail": "There is no such resource.", "errors": []}');
