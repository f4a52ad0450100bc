INSERT INTO users (id, email, name, password_hash) VALUES ('01939f4e-0000-7000-8000-0000000000a1', 'ada@example.com', 'Ada', '$argon2id$v=19$m=19456,t=2,p=1$AAAA$AAAA');
INSERT INTO members (team_id, user_id, role) VALUES ('01939f4e-0000-7000-8000-000000000001', '01939f4e-0000-7000-8000-0000000000a1', 'owner');
INSERT INTO sessions (id, token_hash, user_id, team_id, last_seen_at, expires_at)
  VALUES ('01939f4e-0000-7000-8000-0000000000a2', '\x05', '01939f4e-0000-7000-8000-0000000000a1', '01939f4e-0000-7000-8000-000000000001', '2026-11-18 12:00:00+00', '2026-12-18 12:00:00+00');
INSERT INTO invitations (id, team_id, role, token_hash, created_by, expires_at)
  VALUES ('01939f4e-0000-7000-8000-0000000000a3', '01939f4e-0000-7000-8000-000000000001', 'viewer', '\x06', '01939f4e-0000-7000-8000-0000000000a1', '2026-11-25 12:00:00+00');
UPDATE instance SET setup_token_hash = '\x07';
