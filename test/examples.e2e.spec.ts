import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiKeyWithSecretDto } from '../src/modules/api-keys/dto/api-key.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type CallOptions, type Client } from './support/client.js';
import { bodyExamples, type Operation, operationsOf, type Parameter, parameterExample } from './support/documented.js';
import { checkNow } from './support/monitors.js';
import { ROUTE_ROWS } from './support/route-rows.js';
import { startTarget, type Target } from './support/target.js';

/** The service alone makes one: its example only shows what it looks like. */
const OPAQUE = 'cursor';
/** The ends of a window belong together. */
const WINDOW = ['from', 'to'];
/** What the examples are about, made by the first example of each; one leads to the next by its key. */
const MADE_FIRST = ['/v1/monitors', '/v1/maintenance-windows', '/v1/status-pages'];
/** What is only ever named by the id that the service gave it; made by the first example where it is called. */
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

/** The team as it is when an operation's example is tried: with what the examples of the ones before it make. */
async function arrange({ method, path }: Operation): Promise<void> {
  for (const list of MADE_FIRST.toReversed()) {
    const { body } = await admin.get<{ data: { id: string }[] }>(list);
    for (const { id } of body.data) await admin.delete(`${list}/${id}`);
  }
  for (const list of MADE_FIRST) {
    if (method === 'POST' && path === list) return;
    const [first] = bodyExamples(documented('POST', list));
    // Examples name hosts of the world: enough that those which are sent as they stand look there.
    const ours = list === '/v1/monitors' ? { url: target.url('/'), paused: true } : {};
    expect(await admin.post(list, { ...(first?.value as object), ...ours })).toMatchObject({ status: 201 });
  }
}

/** The path with its examples, and ids of what was just made where only the service gives them. */
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

/** Calls an operation by its examples and a key of the scope that it says it needs; fails unless that is a success. */
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
  it('are taken as they stand', async () => {
    const operation = documented(method, path);
    const bodies = bodyExamples(operation);
    for (const { type, value } of bodies) await send(operation, [], { json: value, headers: { 'content-type': type } });
    if (bodies.length === 0) await send(operation, []);
  });

  it('narrow it by each of its filters', async () => {
    const operation = documented(method, path);
    const filters = operation.parameters.filter((one) => one.in === 'query' && one.name !== OPAQUE);
    const window = filters.filter(({ name }) => WINDOW.includes(name));
    for (const filter of filters) await send(operation, window.includes(filter) ? window : [filter]);
  });
});
