import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type SlotClockService } from '../src/modules/checker/slot-clock.service.js';
import { startApp, type TestApp } from './support/app.js';
import { putChannel } from './support/channels.js';
import { eventually } from './support/eventually.js';
import { createMonitor, httpMonitor, untilStatus } from './support/monitors.js';
import { useReceiver } from './support/receiver.js';
import { answers, startTarget, type Target } from './support/target.js';

const receiver = useReceiver();
let app: TestApp;
let target: Target;
beforeAll(async () => {
  [app, target] = await Promise.all([startApp(), startTarget()]);
});
afterAll(async () => {
  await app.close();
  await target.close();
});

it('are not late, and neither are their later steps, after the system clock was set back by an hour', async () => {
  await app.backstage.provider<SlotClockService>('SlotClockService').startAfter(Date.now() + 3_600_000);
  const api = app.api(app.teams.ours.write);
  for (const key of ['first', 'second']) await putChannel(api, key, { settings: { url: `${receiver.origin}/${key}` } });
  const steps = ['first', 'second'].map((key, index) => ({ afterSeconds: index * 2, channelIds: [`key:${key}`] }));
  await api.post('/v1/notification-policies', { name: 'All', match: { all: true }, on: ['down'], steps });
  const { id } = await createMonitor(api, httpMonitor(target.url('/'), { failureThreshold: 1 }));
  await untilStatus(api, id, 'up');
  target.behave('/', answers(503));
  // Delivery is at least once.
  await eventually(() => {
    expect([...new Set(receiver.requests.map(({ path }) => path))]).toEqual(['/first', '/second']);
  });
});
