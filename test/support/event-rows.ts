import { type Page } from '../../src/http/lists/page.js';
import { type EventDto } from '../../src/modules/events/dto/event.dto.js';
import { eventually } from './eventually.js';
import { createMonitor, httpMonitor } from './monitors.js';
import { type Setting } from './route-row.js';
import { type TestTeam } from './app.js';

const EVENTS = '/v1/events';

/** Creates a monitor and returns the event that says so, once it shows. */
async function event({ app, target }: Setting, team: TestTeam): Promise<Record<string, string>> {
  const api = app.api(team.write);
  const { id: monitorId } = await createMonitor(api, httpMonitor(target.url('/events'), { paused: true }));
  return eventually(async () => {
    const { body } = await api.get<Page<EventDto>>(`${EVENTS}?resourceId=${monitorId}`);
    const [{ id }] = body.data as [EventDto];
    return { id };
  });
}

const read = { method: 'GET', scope: 'read', success: 200 } as const;

/** The routes of events; `ROUTE_ROWS` checks their type. */
export const EVENT_ROWS = [
  { ...read, path: EVENTS, bad: { status: 400, query: '?type=Monitor' } },
  { ...read, path: `${EVENTS}/stream`, bad: { status: 400, query: '?resourceType=nothing' } },
  { ...read, path: `${EVENTS}/:id`, arrange: event, bad: { status: 400, query: '?nothing=1' } },
] as const;
