import { Client } from 'pg';
import { SecretBox } from '../../src/database/secret-box.js';

export const SAMPLE_KEY = 'k'.repeat(32);
export const SAMPLE_TEAM = '01939f4e-0000-7000-8000-000000000001';
export const SAMPLE_MONITOR = '01939f4e-0000-7000-8000-000000000002';
const EXCLUSION = '01939f4e-0000-7000-8000-000000000005';
const INCIDENT = '01939f4e-0000-7000-8000-000000000006';
const OPERATION = '01939f4e-0000-7000-8000-000000000008';
const PAGE = '01939f4e-0000-7000-8000-000000000003';
const PUBLICATION = '01939f4e-0000-7000-8000-00000000000a';
const SUBSCRIBER = '01939f4e-0000-7000-8000-000000000009';
const WEBHOOK = '01939f4e-0000-7000-8000-00000000000b';
const USER = '01939f4e-0000-7000-8000-000000000007';
const WINDOW = '01939f4e-0000-7000-8000-000000000004';

/** Returns SQL that inserts rows into every table of a migrated database, with values that are easily lost. */
export const sampleSql = (checks: number): string => `
  INSERT INTO teams VALUES ('${SAMPLE_TEAM}', E'"A", \\\\ \\'B\\'\\n\\r\\t{C}\\u2028🌍 ', '2026-11-20 13:00:00.123+00');
  INSERT INTO instance VALUES (1, '${new SecretBox(SAMPLE_KEY).fingerprint}', '0044-03-15 12:00:00+00 BC');
  INSERT INTO api_keys (id, team_id, name, prefix, secret_hash, scopes, created_by, expires_at, last_used_at, noticed_expiry)
    VALUES (gen_random_uuid(), '${SAMPLE_TEAM}', '', 'dw_1', '\\x00ff5c22', '{}', 'x', 'infinity', '-infinity', 'infinity'),
      (gen_random_uuid(), '${SAMPLE_TEAM}', 'NULL', 'dw_2', '', ARRAY['a,b', '"', '', 'NULL', '{}'], 'x', NULL, NULL, NULL);
  INSERT INTO users VALUES ('${USER}', 'a@example.com', E'"A" 🌍', '$argon2id$', now(), now());
  INSERT INTO members VALUES ('${SAMPLE_TEAM}', '${USER}', 'owner', now());
  INSERT INTO sessions VALUES (gen_random_uuid(), '\\x01', '${USER}', '${SAMPLE_TEAM}', now(), now(), now(), NULL);
  INSERT INTO invitations VALUES (gen_random_uuid(), '${SAMPLE_TEAM}', 'viewer', NULL, '\\x00ff', 'x', now(), now(), NULL, now());
  INSERT INTO password_resets VALUES (gen_random_uuid(), '${USER}', '\\x02', now(), now(), NULL);
  INSERT INTO rate_limits SELECT id, now() FROM api_keys;
  INSERT INTO idempotency_keys VALUES ('${SAMPLE_TEAM}', 'json', '\\x01', now(), now(), 200, 'null',
    '{"big": 123456789012345678901234567890.10, "e": 1e100, "z": -0.0, "nested": [null, "\\u2028 \\" \\\\"]}');
  INSERT INTO monitors (id, team_id, name, type, definition, target, interval_seconds, timeout_ms, failure_threshold,
      recovery_threshold, locations, quorum, tags, metadata, runbook_url)
    VALUES ('${SAMPLE_MONITOR}', '${SAMPLE_TEAM}', 'one', 'http', '{"password": "sealed:v1:AAAA"}', 'https://example.com', 60, 100, 2, 1,
      '{default}', 'majority', '{}', '{}', 'https://example.com/?a=\\\\&b={}');
  INSERT INTO certificates VALUES ('${SAMPLE_TEAM}', 'ff', E'CN=\\\\a, O="b"', '', '1950-01-01', '9999-12-31 23:59:59+00', NULL, now());
  INSERT INTO monitor_certificates VALUES ('${SAMPLE_MONITOR}', '${SAMPLE_TEAM}', 'ff', now());
  INSERT INTO domain_registrations VALUES ('${SAMPLE_MONITOR}', '${SAMPLE_TEAM}', 'example.com', NULL, NULL, now(), NULL, NULL);
  INSERT INTO monitor_states VALUES ('${SAMPLE_MONITOR}', '${SAMPLE_TEAM}', 'up', NULL, now(), 7);
  INSERT INTO unobserved_monitors VALUES (gen_random_uuid(), '${SAMPLE_MONITOR}', '${SAMPLE_TEAM}', 'no_results', now(), now(), 'infinity', NULL);
  INSERT INTO location_states (monitor_id, location, fold) VALUES ('${SAMPLE_MONITOR}', 'default', '{"run": 1}');
  INSERT INTO monitor_checkpoints VALUES ('${SAMPLE_MONITOR}', 'default', now(), '[]');
  INSERT INTO spans (id, monitor_id, kind, starts_at) VALUES (gen_random_uuid(), '${SAMPLE_MONITOR}', 'paused', now()),
    (gen_random_uuid(), NULL, 'absence', now());
  INSERT INTO exclusions (id, team_id, monitor_ids, tags, member_ids, starts_at, ends_at, reason, created_by, created_at)
    VALUES ('${EXCLUSION}', '${SAMPLE_TEAM}', '{}', '{a}', ARRAY['${SAMPLE_MONITOR}'::uuid], now(), now(), 'why', 'x', now());
  INSERT INTO spans (id, monitor_id, kind, starts_at, exclusion_id)
    VALUES (gen_random_uuid(), '${SAMPLE_MONITOR}', 'exclusion', now(), '${EXCLUSION}');
  INSERT INTO monitor_schedules VALUES ('${SAMPLE_MONITOR}', now(), 60, '{default}', E'a\tb');
  INSERT INTO maintenance_windows (id, team_id, name, monitor_ids, tags, timezone, public, settled_until)
    VALUES ('${WINDOW}', '${SAMPLE_TEAM}', 'w', '{${SAMPLE_MONITOR}}', '{"a,b"}', 'Europe/Berlin', true, now());
  INSERT INTO spans (id, monitor_id, window_id, kind, starts_at)
    VALUES (gen_random_uuid(), '${SAMPLE_MONITOR}', '${WINDOW}', 'maintenance', now());
  BEGIN;
  INSERT INTO incidents (id, team_id, kind, title, impact, started_at, parent_incident_id, cause)
    VALUES (gen_random_uuid(), '${SAMPLE_TEAM}', 'detected', 'A child', 'down', now(), '${INCIDENT}', '{"errorCode": null}'),
      ('${INCIDENT}', '${SAMPLE_TEAM}', 'manual', 'Its parent', 'none', now(), NULL, NULL);
  COMMIT;
  INSERT INTO incident_monitors (incident_id, monitor_id, team_id) VALUES ('${INCIDENT}', '${SAMPLE_MONITOR}', '${SAMPLE_TEAM}');
  INSERT INTO incident_updates VALUES (gen_random_uuid(), '${INCIDENT}', now(), 'note', E'a\nb', 'x', false);
  INSERT INTO incident_back_fills VALUES ('${SAMPLE_MONITOR}');
  INSERT INTO transitions VALUES (gen_random_uuid(), '${SAMPLE_MONITOR}', 'default', now(), now(), 'up', 'down', 'timeout');
  INSERT INTO status_pages (id, team_id, name, slug, published, access_type, timezone, history_days, theme, accent_color, show_locations)
    VALUES ('${PAGE}', '${SAMPLE_TEAM}', 'Page', 'page', true, 'public', 'UTC', 90, 'auto', '#0c8599', true);
  INSERT INTO status_page_components VALUES (gen_random_uuid(), '${SAMPLE_TEAM}', '${PAGE}', '${SAMPLE_MONITOR}', 0, 'c', NULL, NULL, false);
  INSERT INTO status_page_subscribers (id, team_id, status_page_id, email, status, component_ids, consent_source)
    VALUES ('${SUBSCRIBER}', '${SAMPLE_TEAM}', '${PAGE}', 'jo@example.com', 'active', ARRAY['${PAGE}'::uuid], E'a\tb');
  INSERT INTO erased_subscribers VALUES ('${PAGE}', '\\x00ff', '${SAMPLE_TEAM}', now());
  INSERT INTO quarantined_addresses VALUES ('\\x00ff', 'bounced', E'a\tb', 5, now(), ARRAY[E'a"\\\\b'], now());
  INSERT INTO subscription_letters VALUES (gen_random_uuid(), '\\x00ff', now());
  INSERT INTO subscriber_publications VALUES ('${PUBLICATION}', '${SAMPLE_TEAM}', '${PAGE}', 'event:x', '{"text": "a\\nb"}', '{}', now());
  INSERT INTO subscriber_deliveries VALUES ('${SUBSCRIBER}', '${PUBLICATION}', gen_random_uuid(), 'failed', NULL, E'a "b"');
  INSERT INTO subscriber_webhooks VALUES ('${WEBHOOK}', '${SUBSCRIBER}', 'sealed:v1:AAAA', 'sealed:v1:BBBB', 'active', E'a\tb', now(), 1, now(), false);
  INSERT INTO subscriber_webhook_deliveries VALUES (gen_random_uuid(), '${WEBHOOK}', '${PUBLICATION}', 'pending', now(), E'a "b"');
  INSERT INTO daily_rollups VALUES ('${SAMPLE_MONITOR}', '2028-02-29', 'default', 1, 2, 3, 0.1::float8 + 0.2::float8, '{1,NULL,3}');
  INSERT INTO notification_channels VALUES (gen_random_uuid(), '${SAMPLE_TEAM}', 2, 'bot', E'a\tb', 'webhook', true,
    '{"url": "https://bot.example/", "secret": "sealed:v1:AAAA", "headers": {}}', now(), now(), E'a "b"', now(), now(), now());
  INSERT INTO notification_policies VALUES (gen_random_uuid(), '${SAMPLE_TEAM}', 3, NULL, 'n', true, now(), '{"tags": ["a,b"]}', '{down}',
    '[{"afterSeconds": 0, "channelIds": []}]', NULL, '{"from": "22:00"}', now(), now());
  INSERT INTO silences VALUES (gen_random_uuid(), '${SAMPLE_TEAM}', '{"all": true}', E'a\\nb', 'x', now(), 'infinity');
  INSERT INTO leases VALUES ('dispatcher', gen_random_uuid(), 2147483647, now(), now());
  INSERT INTO processes VALUES (gen_random_uuid(), '{api,"a,b"}', E'1.0 \\\\', now(), now(), '{"location": "default"}', false,
    '-infinity', '0 daywatch', now());
  INSERT INTO locations VALUES (gen_random_uuid(), 'eu-west', E'a\\tb', 'NL', 52.37, -0.1, false, '{192.0.2.1:443}', 800, now(), now());
  INSERT INTO check_requests VALUES ('${SAMPLE_MONITOR}', now(), 'default', nextval('check_request_attempts'), 'manual');
  INSERT INTO events (id, team_id, era, transaction_id, type, occurred_at, recorded_at, actor_type, resource_type, resource_id,
      resource_name, changes, data)
    VALUES (gen_random_uuid(), '${SAMPLE_TEAM}', 1, 9223372036854775807, 'monitor.updated', now(), now(), 'system', 'monitor',
      '${SAMPLE_MONITOR}', E'a\nb', '[{"pointer": "/name", "before": null, "after": ""}]', '{}');
  INSERT INTO unplanned_events SELECT id, sequence, 2, now(), team_id, resource_type, E'a\\tb' FROM events;
  INSERT INTO unpublished_events SELECT id, sequence, 2, now() FROM events;
  INSERT INTO notifications (id, team_id, key, alert_key, kind, event_id, monitor_ids, step, repeat, status, attempts, created_at, channel_failed_at)
    VALUES (gen_random_uuid(), '${SAMPLE_TEAM}', E'a\tb', 'a/1', 'trigger', gen_random_uuid(), ARRAY['${SAMPLE_MONITOR}'::uuid], 1, 0,
      'pending', '[{"at": "x", "error": null}]', now(), 'infinity');
  INSERT INTO notification_timers VALUES ('a/1', '${SAMPLE_TEAM}', gen_random_uuid(), 'down', '[{"name": "\\""}]', now(), NULL, 'infinity', 1, true);
  INSERT INTO notification_channel_claims VALUES (gen_random_uuid(), '${SAMPLE_TEAM}', gen_random_uuid(), now(), NULL, '-infinity', now(), '{"storm": null}', '{now,infinity}');
  INSERT INTO operations (id, team_id, action, parameters, created_by)
    VALUES ('${OPERATION}', '${SAMPLE_TEAM}', 'patch', 'sealed:v1:AAAA', 'x');
  INSERT INTO operation_items VALUES ('${OPERATION}', 1, '${SAMPLE_MONITOR}', E'a\tb', 'failed', '{"code": "not_found"}'),
    ('${OPERATION}', 2, E'key:\\\\', NULL, NULL, NULL);
  INSERT INTO heartbeats VALUES ('${SAMPLE_MONITOR}', '\\x00ff', now(), 'infinity', 'heartbeat_missed', NULL, now(), E'[["a\\\\tb", 1]]');
  INSERT INTO ping_keys VALUES (gen_random_uuid(), '${SAMPLE_TEAM}', E'a\tb', '4fJq0', '\\x00ff', now(), 'system', 'x');
  CREATE TABLE pings_20261118 PARTITION OF pings FOR VALUES FROM ('2026-11-18') TO ('2026-11-19');
  INSERT INTO pings VALUES ('${SAMPLE_MONITOR}', '2026-11-18 12:00:00.123+00', -2147483648, 'fail', E'a\tb', 255, 1e100, 'POST', E'a\nb');
  CREATE TABLE checks_20261118 PARTITION OF checks FOR VALUES FROM ('2026-11-18') TO ('2026-11-19');
  CREATE TABLE checks_20261119 PARTITION OF checks FOR VALUES FROM ('2026-11-19') TO ('2026-11-20');
  CREATE TABLE checks_20261120 PARTITION OF checks FOR VALUES FROM ('2026-11-20') TO ('2026-11-21');
  INSERT INTO checks (monitor_id, scheduled_at, location, attempt, checked_at, trigger, status, monitor_revision,
      interval_seconds, response_time_ms, dns_ms, connect_ms, tls_ms, error_message)
    SELECT '${SAMPLE_MONITOR}', '2026-11-18'::timestamptz + n * interval '1200 ms', 'default', 0, now(), 'schedule', 'up', 1, 1,
      n / 7.0, 'NaN', '3.4028235e38', 1.17549435e-38, repeat('text ', 80) || n
    FROM generate_series(0, ${checks - 1}) AS n`;

/** Returns the rows of one statement, as arrays. */
export async function query(url: string, sql: string): Promise<unknown[][]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<unknown[]>({ text: sql, rowMode: 'array' })).rows;
  } finally {
    await client.end();
  }
}

/**
 * Returns a description of all permanent tables, computed by the server: for each table its name, number of rows and a
 * digest of the rows.
 */
export async function contentOf(url: string): Promise<unknown[][]> {
  const tables = await query(
    url,
    `SELECT c.relname::text FROM pg_class c WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
       AND relpersistence = 'p' ORDER BY 1`,
  );
  const digests = tables.map(
    ([name]) =>
      `SELECT '${String(name)}', count(*), md5(string_agg(t::text, '' ORDER BY t::text COLLATE "C")) FROM "${String(name)}" t`,
  );
  const sequences = await query(url, 'SELECT sequencename, last_value FROM pg_sequences ORDER BY 1');
  // Without ids: each database numbers its migrations itself.
  const migrations = "SELECT 'migrations', string_agg(name, ',') FROM migrations";
  return [
    // Sorted, because parallel branches of a UNION return their rows in any order.
    ...(await query(url, `${digests.filter((one) => !one.includes("'migrations'")).join(' UNION ALL ')} ORDER BY 1`)),
    ...(await query(url, migrations)),
    ...sequences,
  ];
}
