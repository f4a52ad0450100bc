import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiKeyWithSecretDto } from '../src/modules/api-keys/dto/api-key.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type CallOptions, type Client } from './support/client.js';
import { bodyExamples, type Operation, operationsOf, type Parameter, parameterExample } from './support/documented.js';
import { checkNow } from './support/monitors.js';
import { ROUTE_ROWS } from './support/route-rows.js';
import { startTarget, type Target } from './support/target.js';

/** A parameter whose values only the service creates: its example merely illustrates the format. */
const OPAQUE = 'cursor';
/** The bounds of a window, which are sent together. */
const WINDOW = ['from', 'to'];
/** Collections whose first example creates the object that later examples refer to by its key. */
const MADE_FIRST = ['/v1/monitors', '/v1/maintenance-windows', '/v1/status-pages'];
/** Collections whose objects have only an id, which the first example creates before each call. */
const MADE_BY_ID = ['/v1/api-keys', '/v1/exclusions', '/v1/incidents'];

let app: TestApp;
let target: Target;
let admin: Client;
beforeAll(async () => {
  [app, target] = await Promise.all([sharedApp(), startTarget()]);
  admin = app.api(app.teams.ours.admin);
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

/** Resets the team to the objects that the examples of the preceding operations create. */
async function arrange({ method, path }: Operation): Promise<void> {
  for (const list of MADE_FIRST.toReversed()) {
    const { body } = await admin.get<{ data: { id: string }[] }>(list);
    for (const { id } of body.data) await admin.delete(`${list}/${id}`);
  }
  for (const list of MADE_FIRST) {
    if (method === 'POST' && path === list) return;
    const [first] = bodyExamples(documented('POST', list));
    // Examples name public hosts: replace them here, so that only examples under test may contact them.
    const ours = list === '/v1/monitors' ? { url: target.url('/'), paused: true } : {};
    expect(await admin.post(list, { ...(first?.value as object), ...ours })).toMatchObject({ status: 201 });
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
  if (path.includes('{checkId}')) values.checkId = (await checkNow(admin, String(values.id))).id;
  return path.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}

/** Calls an operation with its examples and a key of its documented scope; fails unless the call succeeds. */
async function send(operation: Operation, given: readonly Parameter[], options: CallOptions = {}): Promise<void> {
  await arrange(operation);
  const { body: key } = await admin.post<ApiKeyWithSecretDto>('/v1/api-keys', {
    name: 'Of an example',
    scopes: operation.security[0]?.bearer,
  });
  const path = await pathOf(operation);
  const pairs = given.flatMap((one) => [parameterExample(one)].flat().map((value) => [one.name, String(value)]));
  const query = pairs.length > 0 ? `?${new URLSearchParams(pairs).toString()}` : '';
  const { status, body } = await app.api(key.secret).call<unknown>(operation.method, path + query, options);
  expect({ path: path + query, ...options, body, succeeded: status >= 200 && status < 300 }).toMatchObject({
    succeeded: true,
  });
}

describe.each(ROUTE_ROWS)('the examples of $method $path', ({ method, path }) => {
  it('are accepted unchanged', async () => {
    const operation = documented(method, path);
    const bodies = bodyExamples(operation);
    for (const { type, value } of bodies) await send(operation, [], { json: value, headers: { 'content-type': type } });
    if (bodies.length === 0) await send(operation, []);
  });

  it('are accepted for each of its query parameters', async () => {
    const operation = documented(method, path);
    const filters = operation.parameters.filter((one) => one.in === 'query' && one.name !== OPAQUE);
    const window = filters.filter(({ name }) => WINDOW.includes(name));
    for (const filter of filters) await send(operation, window.includes(filter) ? window : [filter]);
  });
});
