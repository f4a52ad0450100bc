INSERT INTO locations (id, key, name, country, latitude, longitude, enabled, canary_targets, degraded_after_ms) VALUES
  ('01939f4e-0000-7000-8000-0000000000f3', 'eu-west', 'Amsterdam', 'NL', 52.37, 4.9, true, '{192.0.2.1:443}', 800);
UPDATE processes SET worker = '{"location": "eu-west", "busyPercent": 1.5, "checksPerSecond": 10, "lagMs": 3}';
