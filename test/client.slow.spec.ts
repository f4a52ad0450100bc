import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import createClient from 'openapi-fetch';
import ts from 'typescript';
import { startApp, type TestApp } from './support/app.js';
import { operationsOf } from './support/documented.js';
import { startTarget, type Target } from './support/target.js';

type Given = Record<string, unknown>;

/** Loads the calls of the generated client, without type checks: the gate generates and checks their types. */
async function load(): Promise<Record<string, (given: Given) => Promise<unknown>>> {
  const { outputText } = ts.transpileModule(readFileSync('test/client/every-route.ts', 'utf8'), {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 },
  });
  const module = `data:text/javascript;base64,${Buffer.from(outputText).toString('base64')}`;
  return ((await import(module)) as { calls: Record<string, (given: Given) => Promise<unknown>> }).calls;
}

const METRICS_TOKEN = 'a token of the tests';
const calls = await load();
/** Ids of the operations in the order of their calls. */
const called: (string | undefined)[] = [];
let app: TestApp;
let target: Target;
let always: Given;

beforeAll(async () => {
  [app, target] = await Promise.all([startApp({ METRICS_TOKEN }), startTarget()]);
  const operations = operationsOf(app.document);
  const api = createClient({ baseUrl: app.origin, headers: { authorization: `Bearer ${app.teams.ours.admin}` } });
  api.use({
    onRequest({ request, schemaPath }) {
      const found = operations.find(({ method, path }) => method === request.method && path === schemaPath);
      called.push(found?.operationId);
    },
  });
  always = { api, url: target.url('/'), metricsToken: METRICS_TOKEN };
});
afterAll(async () => {
  await app.close();
  await target.close();
});

/** Creates a monitor and everything that refers to it by calls of the client, and returns the ids. */
async function arrange(): Promise<Given> {
  const slug = randomUUID();
  const given: Given = { ...always, fresh: slug, slug };
  given.monitorId = await calls.createMonitor!(given);
  given.checkId = await calls.requestCheck!(given);
  given.incidentId = await calls.createIncident!(given);
  given.exclusionId = await calls.createExclusion!(given);
  given.pageId = await calls.createStatusPage!(given);
  given.windowId = await calls.createMaintenanceWindow!(given);
  given.componentId = await calls.getPublicPage!(given);
  given.keyId = await calls.createApiKey!(given);
  return { ...given, fresh: randomUUID() };
}

it('the generated client uses every operation of the document', () => {
  const documented = operationsOf(app.document).map(({ operationId }) => operationId);
  expect(Object.keys(calls).sort()).toEqual(documented.sort());
});

it.each(Object.entries(calls))('the generated client calls %s', async (operationId, call) => {
  const given = await arrange();
  called.length = 0;
  await call(given);
  expect(called).toEqual([operationId]);
});
