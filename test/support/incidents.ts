import { expect } from '@jest/globals';
import { type IncidentDto } from '../../src/modules/incidents/dto/incident.dto.js';
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
