import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import createClient from 'openapi-fetch';
import ts from 'typescript';
import { startApp, type TestApp } from './support/app.js';
import { putChannel } from './support/channels.js';
import { operationsOf } from './support/documented.js';
import { eventually } from './support/eventually.js';
import { MAIL_EVENTS_SECRET } from './support/mail-events.js';
import { createMonitor } from './support/monitors.js';
import { waitingNotification } from './support/notifications.js';
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
/** Each call has channels and policies of its own. */
const ROOM = { MAX_NOTIFICATION_CHANNELS_PER_TEAM: '1000', MAX_NOTIFICATION_POLICIES_PER_TEAM: '1000' };

let app: TestApp;
let target: Target;
let always: Given;

beforeAll(async () => {
  [app, target] = await Promise.all([startApp({ METRICS_TOKEN, MAIL_EVENTS_SECRET, ...ROOM }), startTarget()]);
  const operations = operationsOf(app.document);
  const api = createClient({ baseUrl: app.origin, headers: { authorization: `Bearer ${app.teams.ours.admin}` } });
  api.use({
    onRequest({ request, schemaPath }) {
      const found = operations.find(({ method, path }) => method === request.method && path === schemaPath);
      called.push(found?.operationId);
    },
  });
  const admin = app.api(app.teams.ours.admin);
  const { id: notificationId } = await waitingNotification(admin);
  const settings = { routingKey: 'a'.repeat(32), webhookSecret: 'cNhMdZLJOYPXsPEkpaYYeHxyoM40MEKl' };
  const { id } = await putChannel(admin, 'pager', { name: 'On call', type: 'pagerduty', settings });
  const pager = { id, webhookSecret: settings.webhookSecret };
  always = {
    api,
    url: target.url('/'),
    metricsToken: METRICS_TOKEN,
    mailEventsSecret: MAIL_EVENTS_SECRET,
    notificationId,
    pager,
  };
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
  const job = { name: 'A job', type: 'heartbeat', settings: { schedule: { everySeconds: 86_400 } } };
  const { id, pingUrl } = await createMonitor(app.api(app.teams.ours.admin), job);
  [given.jobId, given.token] = [id, pingUrl!.split('/').at(-1)!];
  given.checkId = await calls.requestCheck!(given);
  given.incidentId = await calls.createIncident!(given);
  given.operationId = await calls.createOperation!(given);
  given.exclusionId = await calls.createExclusion!(given);
  given.pageId = await calls.createStatusPage!(given);
  given.subscriberId = await calls.createSubscriber!(given);
  given.windowId = await calls.createMaintenanceWindow!(given);
  given.channelId = await calls.createNotificationChannel!(given);
  given.unusedChannelId = await calls.createNotificationChannel!({ ...given, fresh: randomUUID() });
  given.policyId = await calls.createNotificationPolicy!(given);
  given.silenceId = await calls.createSilence!(given);
  given.componentId = await calls.getPublicPage!(given);
  given.keyId = await calls.createApiKey!(given);
  given.pingKeyId = await calls.createPingKey!(given);
  given.eventId = await eventually(async () => {
    const { body } = await app.api(app.teams.ours.admin).get<{ data: { id: string }[] }>('/v1/events?limit=1');
    return body.data[0]!.id;
  });
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
