import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startApp, type TestApp } from './support/app.js';
import { putChannel } from './support/channels.js';
import { type Client } from './support/client.js';
import { eventually } from './support/eventually.js';
import { reportIncident } from './support/incidents.js';
import { createMonitor, httpMonitor } from './support/monitors.js';
import { createPolicy } from './support/notifications.js';
import { useReceiver } from './support/receiver.js';

/** More than a process sends through at the same time. */
const FAILING = 40;
const MOST_OF_A_STEP = 20;

const receiver = useReceiver();
let app: TestApp;
let api: Client;
beforeAll(async () => {
  app = await startApp();
  api = app.api(app.teams.ours.write);
});
afterAll(() => app.close());

async function notify(name: string, channelIds: string[]): Promise<void> {
  for (let from = 0; from < channelIds.length; from += MOST_OF_A_STEP) {
    const steps = [{ afterSeconds: 0, channelIds: channelIds.slice(from, from + MOST_OF_A_STEP) }];
    await createPolicy(api, { name: `${name} ${from}`, match: { tags: [name] }, on: ['manual_incident'], steps });
  }
}

async function report(tag: string): Promise<void> {
  const { id } = await createMonitor(api, httpMonitor('http://127.0.0.1:9/', { tags: [tag], paused: true }));
  await reportIncident(api, [id]);
}

it('delay no message to a receiver that works, however many they are', async () => {
  receiver.answer(({ path }) => (path.startsWith('/dead') ? 'hang' : {}));
  const channelOf = async (key: string): Promise<string> => {
    return (await putChannel(api, key, { type: 'webhook', settings: { url: `${receiver.origin}/${key}` } })).id;
  };
  const dead: string[] = [];
  for (let number = 0; number < FAILING; number += 1) dead.push(await channelOf(`dead-${number}`));
  await app.query(
    `INSERT INTO notification_channel_claims (channel_id, team_id, failing_since)
     SELECT id, $2, now() FROM unnest($1::uuid[]) AS id`,
    [dead, app.teams.ours.id],
  );
  await notify('dead', dead);
  await notify('alive', [await channelOf('alive')]);
  const received = (path: string): number => receiver.requests.filter((one) => one.path.startsWith(path)).length;

  await report('dead');
  await eventually(() => expect(received('/dead')).toBe(16));
  await report('alive');
  await eventually(() => expect(received('/alive')).toBe(1));
  expect(received('/dead')).toBe(16);
});
