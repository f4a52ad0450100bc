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
  const teamId = app.teams.ours.id;
  const [row] = await app.query<{ id: string }>(
    `INSERT INTO incidents (id, team_id, kind, title, impact, started_at, confirmed_at, outage_count)
     VALUES (gen_random_uuid(), $1, 'detected', 'internal Shop is down', 'down', now() - interval '1 minute',
       now() - interval '1 minute', 1) RETURNING id`,
    [teamId],
  );
  const monitors = 'INSERT INTO incident_monitors (incident_id, monitor_id, team_id) VALUES ($1, $2, $3)';
  await app.query(monitors, [row!.id, monitorId, teamId]);
  return row!;
}
