import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type IncidentDto } from '../src/modules/incidents/dto/incident.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { type Browser } from './support/browser.js';
import { putChannel } from './support/channels.js';
import { type Client } from './support/client.js';
import { HOSTILE } from './support/console.js';
import { eventually } from './support/eventually.js';
import { unescaped } from './support/html-forms.js';
import { reportIncident } from './support/incidents.js';
import { createMonitor, httpMonitor, untilStatus } from './support/monitors.js';
import { signedIn } from './support/people.js';
import { useReceiver } from './support/receiver.js';
import { answers, startTarget, type Target } from './support/target.js';

const receiver = useReceiver();
let app: TestApp;
let api: Client;
let target: Target;
let viewer: Browser;
beforeAll(async () => {
  [app, target] = await Promise.all([sharedApp(), startTarget()]);
  api = app.api(app.teams.ours.write);
  viewer = await signedIn(app, 'viewer');
});
afterAll(async () => {
  await app.close();
  await target.close();
});
beforeEach(() => void receiver.answer(({ path }) => ({ status: path === '/broken' ? 503 : 200 })));

/** Creates a webhook and returns its id. */
async function channel(name: string, path: string): Promise<string> {
  return (await putChannel(api, randomUUID(), { name, settings: { url: `${receiver.origin}${path}` } })).id;
}

/** Creates a monitor for which a policy has these steps. */
async function watched(path: string, steps: object[], more: object = {}): Promise<string> {
  const { id } = await createMonitor(api, httpMonitor(target.url(path), { failureThreshold: 1 }));
  const policy = { name: path, match: { monitorIds: [id] }, steps, ...more };
  if (steps.length > 0) expect(await api.post('/v1/notification-policies', policy)).toMatchObject({ status: 201 });
  return id;
}

async function fall(id: string, path: string): Promise<IncidentDto> {
  await untilStatus(api, id, 'up');
  target.behave(path, answers(503));
  await untilStatus(api, id, 'down');
  const { body } = await api.get<{ data: IncidentDto[] }>(`/v1/monitors/${id}/incidents`);
  return body.data[0]!;
}

/** Returns the entries of the timeline as texts without markup. */
async function timelineOf(id: string): Promise<string[]> {
  const { html } = await viewer.open(`/incidents/${id}`);
  const [, list] = /<ol class="told">(.*?)<\/ol>/s.exec(html)!;
  return list!.split('<p class="event">').slice(1).map(textOf);
}

const textOf = (html: string): string =>
  unescaped(html.replace(/<[^>]*>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim();
const entry = (pattern: RegExp) => expect.stringMatching(pattern);

describe('the timeline of an incident', () => {
  it('shows who was notified and how fast, escalation, acknowledgement and recovery', async () => {
    const steps = [
      { afterSeconds: 0, channelIds: [await channel(HOSTILE, '/first')] },
      { afterSeconds: 1, channelIds: [await channel('Pager', '/second')] },
    ];
    const monitorId = await watched('/told', steps);
    const { id } = await fall(monitorId, '/told');
    await eventually(async () => expect(await timelineOf(id)).toContainEqual(entry(/^Escalated to step 2 /)));
    await api.post(`/v1/incidents/${id}/acknowledge`, {});
    await eventually(async () => expect(await timelineOf(id)).toContainEqual(entry(/^Acknowledgement sent /)));
    target.behave('/told', answers(200));
    await eventually(async () => {
      const name = HOSTILE.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')
        .replace(/\s+/g, ' ')
        .trim();
      expect(await timelineOf(id)).toEqual([
        entry(/^First failing check/),
        entry(/^Confirmed, incident opened/),
        entry(new RegExp(`^Notified .* UTC ${name} in \\d+(\\.\\d)? m?s$`)),
        entry(/^Escalated to step 2 .* UTC Pager in \d+(\.\d)? m?s$/),
        entry(/^Acknowledged by an API key/),
        entry(/^Acknowledgement sent .*Pager in/),
        entry(/^Recovered, incident resolved/),
        entry(/^Recovery sent .*Pager in/),
      ]);
    });
    const { html } = await viewer.open(`/incidents/${id}`);
    expect(textOf(html)).toMatch(/Notified .*, Pager Acknowledged By an API key/);
    expect(html).toContain(`<a href="/incidents/${id}/notifications">Show all 6 notifications</a>`);
  });

  it('says that nobody was notified, with a link to where that changes', async () => {
    const monitorId = await watched('/nobody', []);
    const { id } = await fall(monitorId, '/nobody');
    await eventually(async () =>
      expect(await timelineOf(id)).toContainEqual(
        entry(
          /^Nobody was notified .* No notification policy applies to the affected monitors\. Choose who is notified$/,
        ),
      ),
    );
    const { html } = await viewer.open(`/incidents/${id}`);
    expect(html).toContain('<a href="/settings/notifications">Choose who is notified</a>');
    expect(textOf(html)).toMatch(/Notified Nobody Acknowledged Not yet/);
  });

  it('gives the error and the next attempt of what is not delivered, and the reason of what is held back', async () => {
    const broken = await watched('/undelivered', [
      { afterSeconds: 0, channelIds: [await channel('Broken', '/broken')] },
    ]);
    const quiet = await watched('/quiet', [{ afterSeconds: 0, channelIds: [await channel('Quiet', '/quiet')] }]);
    const silence = { match: { monitorIds: [quiet] }, durationSeconds: 600, reason: 'Known' };
    expect(await api.post('/v1/silences', silence)).toMatchObject({ status: 201 });
    const [undelivered, held] = [await fall(broken, '/undelivered'), await fall(quiet, '/quiet')];
    await eventually(async () =>
      expect(await timelineOf(undelivered.id)).toContainEqual(
        entry(/^Alert not delivered yet .*Broken : .*503.* 1 attempt, next attempt at \d{4}-.*UTC$/),
      ),
    );
    await eventually(async () =>
      expect(await timelineOf(held.id)).toContainEqual(
        entry(/^Alert held .*Quiet A silence covers the monitor\. Held until \d{4}-.*\.$/),
      ),
    );
    target.behave('/quiet', answers(200));
    await eventually(async () =>
      expect(await timelineOf(held.id)).toContainEqual(
        entry(/^Alert not sent .*Quiet The incident was over before the silence ended\.$/),
      ),
    );
  });
});

describe('an incident with hundreds of notifications', () => {
  const CHANNELS = 90;
  let incident: IncidentDto;
  let other: IncidentDto;
  beforeAll(async () => {
    const monitorId = await watched('/loud', []);
    [incident, other] = [await reportIncident(api, [monitorId]), await reportIncident(api, [monitorId])];
    const message = randomUUID();
    const columns = `id, team_id, key, alert_key, kind, event_id, incident_id, monitor_ids, step, repeat, channel_id,
      status, message_id, settled, due_at, created_at, sent_at`;
    await app.query(
      `INSERT INTO notifications (${columns})
       SELECT $3, $1, gen_random_uuid(), $2::text || '/1', 'trigger', gen_random_uuid(), $2::uuid, '{}', 1, 0,
         gen_random_uuid(), 'sent', $3, true, now(), now(), now()`,
      [app.teams.ours.id, other.id, message],
    );
    await app.query(
      `INSERT INTO notifications (${columns})
       SELECT gen_random_uuid(), $1, gen_random_uuid(), $2::text || '/1',
         CASE WHEN repeat = 0 THEN 'trigger' ELSE 'repeat' END, gen_random_uuid(), $2::uuid, '{}', 1, repeat,
         md5('loud' || channel)::uuid, 'sent', CASE WHEN repeat = 0 AND channel = 1 THEN $4::uuid END, true, at, at,
         at + interval '1234 ms'
       FROM generate_series(1, $3::int) AS channel, generate_series(0, 5) AS repeat,
         LATERAL (SELECT now() + repeat * interval '5 minutes' AS at) AS moment`,
      [app.teams.ours.id, incident.id, CHANNELS, message],
    );
  });

  it('counts them by moment and names the first channels', async () => {
    const [, ...entries] = await timelineOf(incident.id);
    const names = Array(6).fill('A deleted channel').join(' , ');
    const timed = Array(6).fill('A deleted channel in 1.2 s').join(' , ');
    expect(entries).toEqual(
      expect.arrayContaining([
        entry(
          /^Notified .* Sent in one message with other notifications\. Show the incident whose message included it$/,
        ),
        entry(new RegExp(`^Notified .* UTC ${timed} 83 more channels$`)),
        entry(new RegExp(`^Reminder sent 5 times .* UTC ${names} , last at .* UTC 84 more channels$`)),
      ]),
    );
    const { html } = await viewer.open(`/incidents/${incident.id}`);
    expect(html).toContain(`<a href="/incidents/${other.id}">Show the incident whose message included it</a>`);
    expect(html).toContain('Show all 540 notifications');
    expect(html.length).toBeLessThan(60_000);
  });

  it('lists all of them on pages of their own', async () => {
    const seen: string[] = [];
    let path: string | undefined = `/incidents/${incident.id}/notifications`;
    while (path !== undefined) {
      const { html, status } = await viewer.open(path);
      expect(status).toBe(200);
      const rows = [...html.matchAll(/<tr><th scope="row">.*?<\/tr>/gs)];
      seen.push(...rows.map(([row]) => textOf(row)));
      path = unescaped(/href="([^"]*)" rel="next"/.exec(html)?.[1] ?? '') || undefined;
    }
    expect(seen).toHaveLength(CHANNELS * 6);
    expect(seen.at(-1)).toMatch(/^A deleted channel Alert Sent .*UTC$/);
    expect(seen[0]).toMatch(/^A deleted channel Reminder Sent .*UTC$/);
  });

  it('has a new version when one of them changes, so that the open page follows', async () => {
    const path = `/incidents/${incident.id}`;
    const first = await viewer.call('GET', path);
    const headers = { 'if-none-match': first.headers.get('etag')! };
    expect((await viewer.call('GET', path, { headers })).status).toBe(304);
    await app.query(
      `UPDATE notifications SET status = 'failed' WHERE id = (SELECT id FROM notifications WHERE incident_id = $1 LIMIT 1)`,
      [incident.id],
    );
    expect((await viewer.call('GET', path, { headers })).status).toBe(200);
  });
});

it('explains an empty list of notifications', async () => {
  const { id } = await createMonitor(api, httpMonitor(target.url('/none'), { paused: true }));
  const incident = await reportIncident(api, [id]);
  const { html } = await viewer.open(`/incidents/${incident.id}/notifications`);
  expect(html).toContain('No notifications about this incident.');
});
