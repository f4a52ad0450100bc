import { expect } from '@jest/globals';
import { type IncidentDto } from '../../src/modules/incidents/dto/incident.dto.js';
import { type TestApp } from './app.js';
import { type Client } from './client.js';

/** Reports an incident of these monitors. Fails unless the response is 201. */
export async function reportIncident(
  api: Client,
  monitorIds: readonly string[],
  more: Record<string, unknown> = {},
): Promise<IncidentDto> {
  const body = { title: 'Payments are delayed', monitorIds, ...more };
  const answer = await api.post<IncidentDto>('/v1/incidents', body);
  expect({ status: answer.status, body: answer.body }).toMatchObject({ status: 201 });
  return answer.body;
}

export async function getIncident(api: Client, id: string): Promise<IncidentDto> {
  const { status, body } = await api.get<IncidentDto>(`/v1/incidents/${id}`);
  expect(status).toBe(200);
  return body;
}

/** Stores a detected incident of the team `ours` as the recorder does. */
export async function storeDetected(app: TestApp, monitorId: string): Promise<{ id: string }> {
  // One statement, because an incident without monitors is closed as soon as the service notices it.
  const [row] = await app.query<{ id: string }>(
    `WITH made AS (
       INSERT INTO incidents (id, team_id, kind, title, impact, started_at, confirmed_at, outage_count)
       VALUES (gen_random_uuid(), $1, 'detected', 'internal Shop is down', 'down', now() - interval '1 minute',
         now() - interval '1 minute', 1) RETURNING id)
     INSERT INTO incident_monitors (incident_id, monitor_id, team_id) SELECT id, $2, $1 FROM made
     RETURNING incident_id AS id`,
    [app.teams.ours.id, monitorId],
  );
  return row!;
}
