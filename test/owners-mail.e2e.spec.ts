import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type NotificationDto } from '../src/modules/notifications/dto/notification.dto.js';
import { startApp, type TestApp } from './support/app.js';
import { putChannel } from './support/channels.js';
import { eventually } from './support/eventually.js';
import { reportIncident } from './support/incidents.js';
import { mailServer } from './support/mail-server.js';
import { createMonitor, httpMonitor } from './support/monitors.js';
import { createPolicy } from './support/notifications.js';
import { makePerson } from './support/people.js';
import { useReceiver } from './support/receiver.js';

const receiver = useReceiver();
let apps: TestApp[];
beforeAll(() => {
  apps = [];
});
afterAll(() => Promise.all(apps.map((one) => one.close())));

/** Reports an incident to a channel that refuses it, and returns the notifications of the owners, who are none yet. */
async function refused(app: TestApp, { hasOwner = true } = {}) {
  receiver.answer({ status: 410 });
  const team = await app.backstage.makeTeam('Unreachable');
  const owner = hasOwner ? await makePerson(app, team.id, 'owner', 'Ada') : null;
  await makePerson(app, team.id, 'viewer', 'Eve');
  const api = app.api(team.write);
  await putChannel(api, 'ops', { name: 'Ops room', settings: { url: receiver.origin } });
  const steps = [{ afterSeconds: 0, channelIds: ['key:ops'] }];
  await createPolicy(api, { on: ['manual_incident'], steps });
  const { id: monitorId } = await createMonitor(api, httpMonitor('https://shop.example/', { paused: true }));
  const { id } = await reportIncident(api, [monitorId]);
  const ofOwners = async (): Promise<NotificationDto[]> => {
    const { body } = await api.get<{ data: NotificationDto[] }>(`/v1/incidents/${id}/notifications`);
    return body.data.filter(({ channelId }) => channelId === null);
  };
  return { api, id, owner, ofOwners };
}

describe('when every channel of a policy has failed', () => {
  it('the owners are mailed, with the name of the channel, and hear of the end', async () => {
    const { port, accepted } = await mailServer({ hideSTARTTLS: true });
    const app = await startApp({ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'alerts@daywatch.example' });
    apps.push(app);
    const { api, id, owner, ofOwners } = await refused(app);
    await eventually(() => expect(accepted).toHaveLength(1));
    expect(accepted[0]!.recipients).toEqual([owner!.email]);
    const text = accepted[0]!.raw.replace(/=\r?\n/g, '');
    expect(text).toContain('Subject: INCIDENT');
    expect(text).toContain('You are notified because the notification channel "Ops room" failed.');
    const [, path] = /(\/ack\/[\w-]{43})/.exec(text)!;
    expect((await fetch(app.origin + path!, { method: 'POST', redirect: 'manual' })).status).toBe(303);
    expect((await api.get(`/v1/incidents/${id}`)).body).toMatchObject({ acknowledgedBy: 'owners' });
    await eventually(async () =>
      expect(await ofOwners()).toContainEqual(
        expect.objectContaining({ kind: 'trigger', step: 0, status: 'sent', policyId: expect.any(String) }),
      ),
    );
    await api.patch(`/v1/incidents/${id}`, { resolvedAt: new Date().toISOString() });
    // It is collected for 30 s, as for every channel that people read.
    await eventually(async () => expect(await ofOwners()).toContainEqual(expect.objectContaining({ kind: 'resolve' })));
  });

  it.each([
    ['no mail server', { SMTP_URL: '', MAIL_FROM: '' }, true, /^The operator has not configured a mail server/],
    ['no owner', {}, false, /^The team has no owner/],
  ])('a failed notification says so if there is %s', async (_, settings, hasOwner, error) => {
    const app = await startApp(settings);
    apps.push(app);
    const { ofOwners } = await refused(app, { hasOwner });
    await eventually(async () =>
      expect(await ofOwners()).toMatchObject([
        { kind: 'trigger', step: 0, status: 'failed', attempts: [{ error: expect.stringMatching(error) }] },
      ]),
    );
  });
});
