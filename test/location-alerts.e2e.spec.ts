import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from './support/app.js';
import { putChannel } from './support/channels.js';
import { type Client } from './support/client.js';
import { eventually } from './support/eventually.js';
import { createPolicy } from './support/notifications.js';
import { useReceiver } from './support/receiver.js';
import { EAST, FAILURES, TwoLocations, WEST } from './support/two-locations.js';

const receiver = useReceiver();
let app: TestApp;
let api: Client;
let two: TwoLocations;
beforeAll(async () => {
  app = await startApp();
  api = app.api(app.teams.ours.write);
  two = await TwoLocations.add(app);
});
afterAll(() => app.close());

interface Payload {
  type: string;
  data: { monitors: { locations: unknown[] }[] };
}

/** Creates a monitor with a policy and channels of its own: messages to a shared channel would be collected. */
async function create(name: string, definition: Record<string, unknown>): Promise<string> {
  const channelIds: string[] = [];
  for (const type of ['webhook', 'slack']) {
    const settings = { url: `${receiver.origin}/${name}/${type}` };
    channelIds.push((await putChannel(api, `${name}-${type}`, { type, settings })).id);
  }
  const steps = [{ afterSeconds: 0, channelIds }];
  await createPolicy(api, { name, match: { tags: [name] }, on: ['down', 'degraded'], steps });
  return two.create({ name, tags: [name], ...definition });
}

/** Waits for a message of this type to the webhook of a monitor, and returns what it says about locations. */
function locationsIn(type: string, name: string): Promise<unknown[]> {
  return eventually(() => {
    const found = receiver.bodiesAt<Payload>(`/${name}/webhook`).find((one) => one.type === type);
    expect(found).toBeDefined();
    return found!.data.monitors[0]!.locations;
  });
}

/** Waits for the first message to Slack about a monitor, and returns it. */
function slackAbout(name: string): Promise<string> {
  return eventually(() => {
    const found = receiver.requests.find(({ path }) => path === `/${name}/slack`);
    expect(found).toBeDefined();
    return found!.text;
  });
}

const at = (location: string, status: string) => ({ location, name: location, status });

describe('a message about a monitor with several locations', () => {
  it('says where the monitor is down and where it is up, and nothing once it has recovered', async () => {
    const id = await create('split', { quorum: 'any' });
    await two.failInTheEast(id);
    expect(await locationsIn('down.trigger', 'split')).toEqual([at(EAST, 'down'), at(WEST, 'up')]);
    expect(await slackAbout('split')).toContain('Down at east; up at west.');
    await two.record(id, EAST, [[1, 'up']]);
    expect(await locationsIn('down.resolve', 'split')).toEqual([]);
  });

  it('says so while too few locations are down for an outage', async () => {
    const id = await create('partial', { quorum: 'all' });
    await two.failInTheEast(id);
    expect(await locationsIn('degraded.trigger', 'partial')).toEqual([at(EAST, 'down'), at(WEST, 'up')]);
    expect(await slackAbout('partial')).toContain('Down at east; up at west.');
  });

  it('says that it was seen from only one of them', async () => {
    const id = await create('alone', {});
    await two.record(id, EAST, FAILURES);
    expect(await locationsIn('down.trigger', 'alone')).toEqual([at(EAST, 'down'), at(WEST, 'unknown')]);
    expect(await slackAbout('alone')).toContain('Down at east; seen from 1 of 2 locations.');
  });
});

describe('a message about a monitor with one location', () => {
  it('does not mention locations', async () => {
    const id = await create('single', { locations: [WEST] });
    await two.record(id, WEST, FAILURES);
    expect(await locationsIn('down.trigger', 'single')).toEqual([]);
    expect(await slackAbout('single')).not.toMatch(/down at|seen from/i);
  });
});
