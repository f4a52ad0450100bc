import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { DAY_MS } from '../src/domain/durations.js';
import { type AlertingReportDto } from '../src/modules/notifications/dto/alerting-report.dto.js';
import { sharedApp, type TestApp } from './support/app.js';
import { putChannel } from './support/channels.js';
import { makePerson, signIn } from './support/people.js';

const REPORT = '/v1/reports/alerting';
const PAGE = '/settings/notifications/report';
const PERIOD = `${REPORT}?from=2026-01-01&to=2026-01-31`;
const DELETED = randomUUID();
const START_MS = Date.parse('2026-01-10T12:00:00Z');

let app: TestApp;
let channelId: string;
let policyId: string;
beforeAll(async () => {
  app = await sharedApp();
  const api = app.api(app.teams.ours.write);
  channelId = (await putChannel(api, 'hook')).id;
  const steps = [{ afterSeconds: 0, channelIds: ['key:hook'] }];
  const { body } = await api.post<{ id: string }>('/v1/notification-policies', {
    name: 'Timed',
    match: { all: true },
    steps,
  });
  policyId = body.id;
});
afterAll(() => app.close());

interface Outage {
  confirmed: number;
  acknowledged?: number;
  resolved?: number;
  startMs?: number;
  kind?: string;
}
/** Times are seconds after the start. */
interface Alert {
  sent: number | null;
  channel?: string;
  kind?: string;
  collectedInto?: string;
  key?: string;
}

/** Stores an incident with its notifications. */
async function outage(times: Outage, ...alerts: Alert[]): Promise<void> {
  const { startMs = START_MS, kind = 'detected' } = times;
  const at = (seconds: number | null = null) => (seconds === null ? null : new Date(startMs + seconds * 1_000));
  const [incidentId, team] = [randomUUID(), app.teams.ours.id];
  await app.query(
    `INSERT INTO incidents (id, team_id, kind, title, impact, started_at, confirmed_at, acknowledged_at, resolved_at)
     VALUES ($1, $2, $3, 'Timed', 'down', $4, $5, $6, $7)`,
    [incidentId, team, kind, at(0), at(times.confirmed), at(times.acknowledged), at(times.resolved ?? 9_000)],
  );
  for (const {
    sent,
    channel = channelId,
    kind: what = 'trigger',
    collectedInto = null,
    key = randomUUID(),
  } of alerts) {
    await app.query(
      `INSERT INTO notifications (id, team_id, key, alert_key, kind, event_id, incident_id, monitor_ids, policy_id, step,
         repeat, channel_id, status, collected_into, settled, created_at, sent_at)
       VALUES ($1, $2, $3, $4, $5, $1, $6, '{}', $7, 1, 0, $8, $9, $10, true, $11, $12)`,
      [
        ...[randomUUID(), team, key, `${incidentId}/1`, what, incidentId, policyId, channel],
        ...[sent === null ? 'suppressed' : 'sent', collectedInto, at(0), at(sent)],
      ],
    );
  }
}

const report = async (path: string, key = app.teams.ours.read): Promise<AlertingReportDto> => {
  const { status, body } = await app.api(key).get<AlertingReportDto>(path);
  expect(status).toBe(200);
  return body;
};

const NONE = { medianSeconds: null, p95Seconds: null };
const EMPTY = {
  ...{ incidentCount: 0, notifiedCount: 0, acknowledgedCount: 0 },
  ...{ failureToConfirmed: NONE, confirmedToSent: NONE, sentToAcknowledged: NONE },
};

describe('the alerting report', () => {
  it('has no figures without incidents', async () => {
    expect(await report(PERIOD)).toEqual({
      from: '2026-01-01T00:00:00.000Z',
      to: '2026-02-01T00:00:00.000Z',
      timezone: 'UTC',
      computedAt: expect.any(String),
      total: EMPTY,
      policies: [],
      channels: [],
    });
  });

  it('measures each section of the way, in total, by policy and by channel', async () => {
    const whole = randomUUID();
    await outage({ confirmed: 10, acknowledged: 112 }, { sent: 12, key: whole }, { sent: 15, channel: DELETED });
    await outage({ confirmed: 20 }, { sent: 26 }, { sent: 22, kind: 'repeat' });
    await outage({ confirmed: 30, acknowledged: 5 }, { sent: null, collectedInto: whole });
    await outage({ confirmed: 40.5 }, { sent: null });
    await outage({ confirmed: 50, resolved: 0 }, { sent: 60 });
    await outage({ confirmed: 60, kind: 'manual' }, { sent: 70 });
    await outage({ confirmed: 70, startMs: Date.parse('2026-02-01T00:00:00Z') }, { sent: 80 });
    const { total, policies, channels } = await report(PERIOD);
    expect(total).toEqual({
      ...{ incidentCount: 4, notifiedCount: 3, acknowledgedCount: 1 },
      failureToConfirmed: { medianSeconds: 25, p95Seconds: 38.925 },
      confirmedToSent: { medianSeconds: 2, p95Seconds: 5.6 },
      sentToAcknowledged: { medianSeconds: 100, p95Seconds: 100 },
    });
    const notified = {
      ...{ incidentCount: 3, notifiedCount: 3, acknowledgedCount: 1 },
      failureToConfirmed: { medianSeconds: 20, p95Seconds: 29 },
      confirmedToSent: total.confirmedToSent,
      sentToAcknowledged: total.sentToAcknowledged,
    };
    expect(policies).toEqual([{ policyId, name: 'Timed', ...notified }]);
    expect(channels).toHaveLength(2);
    expect(channels).toEqual(
      expect.arrayContaining([
        { channelId, name: 'hook', ...notified },
        {
          ...{ channelId: DELETED, name: null, incidentCount: 1, notifiedCount: 1, acknowledgedCount: 1 },
          failureToConfirmed: { medianSeconds: 10, p95Seconds: 10 },
          confirmedToSent: { medianSeconds: 5, p95Seconds: 5 },
          sentToAcknowledged: { medianSeconds: 97, p95Seconds: 97 },
        },
      ]),
    );
    expect((await report(PERIOD, app.teams.theirs.read)).total).toEqual(EMPTY);
  });

  it('covers the last 30 days by default', async () => {
    const { from, to } = await report(REPORT);
    expect((Date.parse(to) - Date.parse(from)) / 86_400_000).toBe(30);
  });

  it.each(['from=2026-02-30', 'from=2026-02-02&to=2026-02-01', 'from=2024-01-01&to=2026-01-01', 'raw=true'])(
    'rejects %s',
    async (query) => {
      expect((await app.api(app.teams.ours.read).get(`${REPORT}?${query}`)).status).toBe(400);
    },
  );
});

describe('the page of the alerting report', () => {
  const open = async (team: TestApp['teams']['ours'], query: string) =>
    (await signIn(app, await makePerson(app, team.id, 'viewer'))).open(`${PAGE}?${query}`);
  const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

  it('shows the figures in total, by policy and by channel, and links to what was sent', async () => {
    const { html } = await open(app.teams.ours, 'from=2026-01-01&to=2026-01-31');
    const text = textOf(html);
    expect(text).toContain('Of 4 outages, 3 were reported: half within 2 s of their confirmation, 95% within 5.6 s.');
    expect(text).toContain('Failure to confirmation 25 s median of 4 outages; 95% within 39 s');
    expect(text).toContain('Confirmation to first alert 2 s median of 3 alerts; 95% within 5.6 s');
    expect(text).toContain('Alert to acknowledgement 1 min 40 s 1 acknowledgement ');
    expect(text).toContain('Timed 3 1 20 s 95% within 29 s 2 s 95% within 5.6 s 1 min 40 s');
    expect(text).toContain('A deleted channel 1 1 10 s');
    expect(html).toContain(`href="/settings/notifications/log?policyId=${policyId}"`);
    expect(html).toContain(`href="/settings/notifications/log?channelId=${channelId}"`);
    expect(html).toContain('/v1/reports/alerting?from=2026-01-01&amp;to=2026-01-31');
  });

  it('covers the chosen number of days, by default 30', async () => {
    const startMs = Date.now() - 40 * DAY_MS;
    await outage({ confirmed: 10, resolved: 600, startMs }, { sent: null });
    const days = async (query: string) => {
      const { html } = await open(app.teams.ours, query);
      const isCounted = html.includes('The outage was not reported to anyone.');
      return [/aria-current="true">(\d+) days</.exec(html)?.[1], isCounted, html.includes('No outages started')];
    };
    expect(await days('')).toEqual(['30', false, true]);
    expect(await days('days=90')).toEqual(['90', true, false]);
    expect(await days('days=forever')).toEqual(['30', false, true]);
    const date = new Date(startMs).toISOString().slice(0, 10);
    expect(await days(`days=7&from=${date}&to=${date}`)).toEqual([undefined, true, false]);
  });

  it('shows no figures of another team, and rejects an invalid period', async () => {
    const { html } = await open(app.teams.theirs, 'from=2026-01-01&to=2026-01-31');
    expect(html).toContain('No outages started in this period.');
    expect(html).not.toContain('Timed');
    expect((await open(app.teams.ours, 'from=2026-02-02&to=2026-02-01')).status).toBe(400);
  });
});
