import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Scope } from '../src/http/auth/principal.js';
import { probeOf, unavailability } from '../src/probes/index.js';
import { deleteTeams, sharedApp, type TestApp, type TestTeam } from './support/app.js';
import { type CallOptions, type Client } from './support/client.js';
import { bodyExamples, type Operation, operationsOf, type Parameter, parameterExample } from './support/documented.js';
import { eventually } from './support/eventually.js';
import { checkNow } from './support/monitors.js';
import { waitingNotification } from './support/notifications.js';
import { ROUTE_ROWS } from './support/route-rows.js';
import { startTarget, type Target } from './support/target.js';

/** A parameter whose values only the service creates: its example merely illustrates the format. */
const OPAQUE = 'cursor';
/** The bounds of a window, which are sent together. */
const WINDOW = ['from', 'to'];
/** Collections whose first example creates the object that later examples refer to by its key. */
const CHANNELS = '/v1/notification-channels';
const MADE_FIRST = [
  '/v1/monitors',
  '/v1/maintenance-windows',
  CHANNELS,
  '/v1/notification-policies',
  '/v1/status-pages',
];
/** The keys of the channels to which later examples refer. */
const NAMED_CHANNELS = ['deploy-bot', 'slack-ops', 'pagerduty-primary'];
/** Collections whose objects have only an id, which the first example creates before each call. */
const MADE_BY_ID = ['/v1/api-keys', '/v1/exclusions', '/v1/incidents', '/v1/ping-keys', '/v1/silences'];
/** Starts operations. */
const BULK = '/v1/monitors/bulk';

let app: TestApp;
let target: Target;
let team: TestTeam;
let admin: Client;
beforeAll(async () => {
  [app, target] = await Promise.all([sharedApp(), startTarget()]);
});
afterAll(async () => {
  await app.close();
  await target.close();
});

function documented(method: string, path: string): Operation {
  const template = path.replace(/:(\w+)/g, '{$1}');
  const found = operationsOf(app.document).find((one) => one.method === method && one.path === template);
  if (!found) throw new Error(`The document has no ${method} ${template}.`);
  return found;
}

/** Returns whether this machine has the program that the example of a monitor needs. */
function canCheck(path: string, value: unknown): boolean {
  const probe = path.startsWith('/v1/monitors') ? probeOf((value as { type: string }).type) : undefined;
  return probe === undefined || unavailability(probe) === null;
}

/** Whether the team has the objects that the next read needs, which no read changes. */
let isArranged = false;

/** Makes a team with the objects that the examples of the preceding operations create. */
async function arrange({ method, path }: Operation): Promise<void> {
  if (isArranged && method === 'GET') return;
  isArranged = method === 'GET';
  // The slugs of its status pages are unique across teams, and its monitors may name public hosts.
  await deleteTeams(app);
  team = await app.backstage.makeTeam('Of an example');
  admin = app.api(team.admin);
  for (const list of MADE_FIRST) {
    if (method === 'POST' && path === list) return;
    if (list === CHANNELS) {
      await makeChannels(path.endsWith('/test') ? { url: target.url('/') } : {});
      continue;
    }
    const examples = bodyExamples(documented('POST', list));
    // Only a heartbeat monitor has a token.
    if (list === '/v1/monitors' && path.endsWith('/rotate-token')) {
      const job = examples.find(({ value }) => (value as { type: string }).type === 'heartbeat');
      expect(await admin.post(list, job!.value)).toMatchObject({ status: 201 });
    }
    const [first] = examples;
    // Examples name public hosts: replace them here, so that only examples under test may contact them.
    const ours = list === '/v1/monitors' ? { url: target.url('/'), paused: true } : {};
    expect(await admin.post(list, { ...(first?.value as object), ...ours })).toMatchObject({ status: 201 });
  }
}

/** @param settings replace those of the webhook, to which a test posts */
async function makeChannels(settings: object): Promise<void> {
  type Example = { key: string; settings: object };
  const examples = bodyExamples(documented('POST', CHANNELS)).map(({ value }) => value as Example);
  for (const value of examples.filter(({ key }) => NAMED_CHANNELS.includes(key))) {
    const channel = value.key === 'deploy-bot' ? { ...value, settings: { ...value.settings, ...settings } } : value;
    expect(await admin.post(CHANNELS, channel)).toMatchObject({ status: 201 });
  }
}

/** Returns the path with its example values, and with the ids of new objects where only the service assigns them. */
async function pathOf({ path, parameters }: Operation): Promise<string> {
  const values: Record<string, unknown> = Object.fromEntries(
    parameters.filter((one) => one.in === 'path').map((one) => [one.name, parameterExample(one)]),
  );
  const list = MADE_BY_ID.find((one) => path.startsWith(`${one}/{id}`));
  if (list) {
    const [first] = bodyExamples(documented('POST', list));
    values.id = (await admin.post<{ id: string }>(list, first?.value)).body.id;
  }
  if (path.startsWith('/v1/operations/{id}')) {
    const [first] = bodyExamples(documented('POST', BULK));
    values.id = (await admin.post<{ id: string }>(BULK, first?.value)).body.id;
  }
  if (path.startsWith('/v1/notifications/{id}')) values.id = (await waitingNotification(admin)).id;
  if (path === '/v1/events/{id}') values.id = await eventId();
  if (path.includes('{subscriberId}')) {
    const list = `/v1/status-pages/${String(values.id)}/subscribers`;
    const [first] = bodyExamples(documented('POST', '/v1/status-pages/:id/subscribers'));
    values.subscriberId = (await admin.post<{ id: string }>(list, first?.value)).body.id;
  }
  if (path.includes('{checkId}')) values.checkId = (await checkNow(admin, String(values.id))).id;
  return path.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}

/** Returns the id of an event that every key may read. Events show once no earlier one can follow. */
function eventId(): Promise<string> {
  return eventually(async () => {
    const { body } = await admin.get<{ data: { id: string }[] }>('/v1/events?type=monitor.*&limit=1');
    return body.data[0]!.id;
  });
}

/** Returns the example of a query parameter; of one that names an event, an event that exists. */
async function queryExample(one: Parameter): Promise<[string, string][]> {
  const example = one.name === 'after' ? await eventId() : parameterExample(one);
  return [example].flat().map((value) => [one.name, String(value)]);
}

/** Calls an operation with the examples of these parameters. */
type Call = (given: readonly Parameter[], options?: CallOptions) => Promise<void>;

/** Returns calls of an operation with a key of its documented scope. A call fails unless it succeeds. */
async function callsOf(operation: Operation): Promise<Call> {
  await arrange(operation);
  const [scope] = operation.security[0]!.bearer as Scope[];
  const path = await pathOf(operation);
  return async (given, options = {}) => {
    const pairs = (await Promise.all(given.map(queryExample))).flat();
    const query = pairs.length > 0 ? `?${new URLSearchParams(pairs).toString()}` : '';
    const { status, body } = await app.api(team[scope!]).call<unknown>(operation.method, path + query, options);
    expect({ path: path + query, ...options, body, succeeded: status >= 200 && status < 300 }).toMatchObject({
      succeeded: true,
    });
  };
}

const isRead = ({ method }: { method: string }): boolean => method === 'GET';
const READS_FIRST = [...ROUTE_ROWS.filter(isRead), ...ROUTE_ROWS.filter((row) => !isRead(row))];

describe.each(READS_FIRST)('the examples of $method $path', ({ method, path }) => {
  it('are accepted unchanged', async () => {
    const operation = documented(method, path);
    const bodies = bodyExamples(operation).filter(({ value }) => canCheck(path, value));
    for (const { type, value } of bodies) {
      const call = await callsOf(operation);
      await call([], { json: value, headers: { 'content-type': type } });
    }
    if (bodies.length === 0) await callsOf(operation).then((call) => call([]));
  });

  it('are accepted for each of its query parameters', async () => {
    const operation = documented(method, path);
    const filters = operation.parameters.filter((one) => one.in === 'query' && one.name !== OPAQUE);
    const window = filters.filter(({ name }) => WINDOW.includes(name));
    let call: Call | null = null;
    for (const filter of filters) {
      // A read leaves what it needs.
      if (method !== 'GET') call = null;
      call ??= await callsOf(operation);
      await call(window.includes(filter) ? window : [filter]);
    }
  });
});
