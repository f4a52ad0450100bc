import { randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { SecretBox } from '../src/database/secret-box.js';
import { Scene } from './scene.js';

const CHUNK = 5_000;
/** What a monitor has once there was a report. */
const COPIED = ['monitor_states', 'monitor_schedules', 'location_states', 'monitor_checkpoints', 'daily_rollups'];

/**
 * Opens a scene with this many monitors of type `heartbeat`, each of which has had a report. Returns it, running, with
 * the paths for reports.
 */
export async function openHeartbeats(count: number, settings: object): Promise<{ scene: Scene; paths: string[] }> {
  const scene = await Scene.open();
  const service = await scene.start();
  const made = await service.call<{ id: string; pingUrl: string }>('POST', '/v1/monitors', {
    name: 'Template',
    type: 'heartbeat',
    settings,
  });
  if (made.status !== 201) throw new Error(`the template was rejected: ${JSON.stringify(made.body)}`);
  const { status } = await fetch(made.body.pingUrl);
  if (status !== 200) throw new Error(`the report was answered with ${status}`);
  await scene.stop();
  const tokens = Array.from({ length: count }, () => randomUUID());
  // The service finds tokens by this hash.
  const box = new SecretBox(scene.settings.SECRET_KEY!);
  const macs = tokens.map((token) => box.hmac('heartbeat-token', token));
  for (let from = 0; from < count; from += CHUNK) {
    await copy(scene, made.body.id, macs.slice(from, from + CHUNK));
  }
  // As after slow growth, the query planner must have current statistics.
  await scene.client.query('VACUUM ANALYZE');
  const filled = await scene.start();
  // No job reports to the template, so it would be missed.
  const deletion = await filled.call('DELETE', `/v1/monitors/${made.body.id}`);
  if (deletion.status !== 204) throw new Error(`the deletion of the template was answered with ${deletion.status}`);
  return { scene, paths: tokens.map((token) => `/ping/${token}`) };
}

async function copy({ client }: Scene, templateId: string, macs: readonly Buffer[]): Promise<void> {
  const ids = macs.map(() => uuidv7());
  await client.query(
    `INSERT INTO monitors SELECT (jsonb_populate_record(m, jsonb_build_object('id', t.id, 'name', 'Job ' || t.id))).*
     FROM monitors m, unnest($2::uuid[]) AS t (id) WHERE m.id = $1`,
    [templateId, ids],
  );
  for (const table of COPIED) {
    await client.query(
      `INSERT INTO ${table} SELECT (jsonb_populate_record(s, jsonb_build_object('monitor_id', t.id))).*
       FROM ${table} s, unnest($2::uuid[]) AS t (id) WHERE s.monitor_id = $1`,
      [templateId, ids],
    );
  }
  await client.query(
    // None of them is due before it has reported.
    `INSERT INTO heartbeats (monitor_id, token_mac, due_at, deadline_at, deadline_code, last_ping_at)
     SELECT t.id, t.mac, due_at + interval '1 hour', deadline_at + interval '1 hour', deadline_code, last_ping_at
     FROM heartbeats h, unnest($2::uuid[], $3::bytea[]) AS t (id, mac) WHERE h.monitor_id = $1`,
    [templateId, ids, macs],
  );
}
