import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type SpansService } from '../src/modules/monitors/history/spans.service.js';
import { sharedApp, startApp, type TestApp } from './support/app.js';
import { putChannel } from './support/channels.js';
import { type Client } from './support/client.js';
import { eventually } from './support/eventually.js';
import { reportIncident } from './support/incidents.js';
import { createMonitor, httpMonitor } from './support/monitors.js';
import { createPolicy } from './support/notifications.js';
import { useReceiver } from './support/receiver.js';

const receiver = useReceiver();
let app: TestApp;
beforeAll(async () => {
  app = await sharedApp();
});
afterAll(() => app.close());

interface Payload {
  type: string;
  data: { subject: string; note: string | null };
}
/** What was received at a path: type and subject of each message. */
const received = (path: string): string[] =>
  receiver.bodiesAt<Payload>(path).map(({ type, data }) => `${type} | ${data.subject}`);

const step = (...keys: string[]) => ({ afterSeconds: 0, channelIds: keys.map((key) => `key:${key}`) });

describe('a channel that fails', () => {
  let api: Client;
  let place: string;
  beforeEach(async () => {
    const team = await app.backstage.makeTeam('Alerted');
    api = app.api(team.write);
    place = `/${team.id}`;
    for (const key of ['broken', 'watch']) {
      await putChannel(api, key, { name: key, settings: { url: `${receiver.origin}${place}/${key}` } });
    }
    const policies = [
      { name: 'Work', on: ['manual_incident'], steps: [step('broken')] },
      { name: 'Channels', on: ['channel_failing'], steps: [step('watch')] },
    ];
    for (const one of policies) await createPolicy(api, one);
  });

  it('is reported to the channels of the policies that name it, and so is that it works again', async () => {
    receiver.answer(({ path }) => (path === `${place}/broken` ? { status: 404 } : {}));
    const { id } = await createMonitor(api, httpMonitor('https://shop.example/', { name: 'Shop', paused: true }));
    await reportIncident(api, [id]);
    await eventually(() => expect(received(`${place}/watch`).at(-1)).toMatch(/^channel_failing\.trigger /));
    expect(receiver.bodiesAt<Payload>(`${place}/watch`).at(-1)!.data).toMatchObject({
      subject: expect.stringMatching(/^CHANNEL FAILING broken since /),
      note: expect.stringContaining('404'),
    });

    receiver.answer({});
    await api.post('/v1/notification-channels/key:broken/test');
    await eventually(() =>
      expect(received(`${place}/watch`).at(-1)).toMatch(
        /^channel_failing\.resolve \| CHANNEL WORKING broken: was failing for /,
      ),
    );
  });
});

describe('an interruption of all checks', () => {
  it('is reported once it is over, unless it was short', async () => {
    const own = await startApp();
    try {
      const api = own.api(own.teams.ours.write);
      await putChannel(api, 'watch', { settings: { url: `${receiver.origin}/own` } });
      await createPolicy(api, { steps: [step('watch')] });
      const spans = own.backstage.inTransaction<SpansService>('SpansService');
      const now = Date.now();
      for (const [from, to] of [[now - 1_200_000, now - 1_000_000] as const, [now - 900_000, now - 300_000] as const]) {
        await spans.addAbsences(['default'], [{ shard: 'all', of: 1, from, to }], 'not_running');
      }
      await eventually(() =>
        expect(received('/own')).toEqual([
          expect.stringMatching(/^location_offline\.resolve \| LOCATION ONLINE default: was offline for 10 min /),
        ]),
      );
    } finally {
      await own.close();
    }
  });
});
