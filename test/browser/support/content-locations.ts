import { type Page } from '../../../src/http/lists/page.js';
import { type IncidentDto } from '../../../src/modules/incidents/dto/incident.dto.js';
import { type KnownLocationsService } from '../../../src/modules/locations/known-locations.service.js';
import { type TestApp } from '../../support/app.js';
import { type Client } from '../../support/client.js';
import { type Content } from './content.js';

/** The ids of a monitor with several locations and of an incident of it; of others if the content has none. */
export interface LocatedContent {
  locatedId: string;
  locatedIncidentId: string;
}

/** Adds the locations of the content to a service. */
export async function addLocations(app: TestApp, { locations = [] }: Content): Promise<void> {
  for (const { key, name } of locations) {
    await app.query('INSERT INTO locations (id, key, name) VALUES (gen_random_uuid(), $1, $2)', [key, name]);
  }
  await app.backstage.provider<KnownLocationsService>('KnownLocationsService').refresh();
}

/** Returns a monitor with several locations, and its newest incident; `others` if there is none. */
export async function located(
  api: Client,
  content: Content,
  monitors: Record<string, string>,
  others: LocatedContent,
): Promise<LocatedContent> {
  const one = content.monitors.find(({ seenFrom }) => seenFrom !== undefined);
  if (!one) return others;
  const locatedId = monitors[one.definition.key]!;
  const { body } = await api.get<Page<IncidentDto>>(`/v1/monitors/${locatedId}/incidents`);
  return { locatedId, locatedIncidentId: body.data[0]!.id };
}
