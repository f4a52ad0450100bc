import { Client as Database } from 'pg';
import { newSecret } from '../../../src/channels/webhook/signature.js';
import { SecretBox } from '../../../src/database/secret-box.js';
import { HOUR_MS } from '../../../src/domain/durations.js';
import { type Role, ROLES } from '../../../src/domain/role.js';
import { type TeamId } from '../../../src/http/auth/principal.js';
import { type Page } from '../../../src/http/lists/page.js';
import { type CheckDto } from '../../../src/modules/checks/dto/check.dto.js';
import { type IncidentDto } from '../../../src/modules/incidents/dto/incident.dto.js';
import { type MembershipService } from '../../../src/modules/people/membership.service.js';
import { type ResetLinks } from '../../../src/modules/people/reset-links.service.js';
import { linksOf } from '../../../src/modules/status-pages/subscribers/subscriber-links.js';
import { startApp, type TestApp } from '../../support/app.js';
import { type Client } from '../../support/client.js';
import { addMember, makePerson, type TestPerson } from '../../support/people.js';
import { TEST_SECRET_KEY } from '../../support/secret-key.js';
import { addLocations, located, type LocatedContent } from './content-locations.js';
import { type Content } from './content.js';
import { recordPast } from './past.js';
import { recordNotifications, recordOutages } from './past-notifications.js';

/** A service with content, and the people who use it. */
export interface World extends LocatedContent {
  app: TestApp;
  content: Content;
  people: Record<Role, TestPerson>;
  /** The owner of an empty team. */
  newcomer: TestPerson;
  /** The ids of the monitors, by their keys in the content. */
  monitors: Record<string, string>;
  /** The first monitor of the content, which most pages show; a paused one; and the last one, which is the newest. */
  monitorId: string;
  pausedId: string;
  youngestId: string;
  /** The id of a failed check of the first monitor. */
  checkId: string;
  /** The ids of an exclusion, and of one of its monitors. */
  exclusionId: string;
  excludedId: string;
  /** The ids of the maintenance windows, in the order of the content. */
  windows: string[];
  /** The id of an API key created by the owner. */
  keyId: string;
  pingKeyId: string;
  /** The id of a notification channel that a policy notifies. */
  channelId: string;
  policyId: string;
  /** The ids of a manual incident, of a detected one, of a resolved one, and of an open drill. */
  incidentId: string;
  detectedId: string;
  resolvedId: string;
  drillId: string;
  statusPageId: string;
  /** The path of the page of a subscriber whose webhook has ended, without its last segment. */
  subscription: string;
  /** The id of an unpublished status page without components. */
  draftId: string;
  /** The token of an invitation link. */
  invitation: string;
  /** The token of a link with which the editor sets a new password. */
  resetToken: string;
}

/** Gives a subscriber a webhook that has ended. Returns the path of the pages of the subscription. */
async function addWebhook(app: TestApp, subscriberId: string): Promise<string> {
  const box = new SecretBox(TEST_SECRET_KEY);
  const sealed = ['https://hooks.example.com/status/0123456789abcdef0123456789abcdef', newSecret()].map((one) =>
    box.seal(one),
  );
  await app.query(
    `INSERT INTO subscriber_webhooks (id, subscriber_id, url, secret, status, error)
     VALUES (gen_random_uuid(), $1, $2, $3, 'ended', 'The receiver refused the message (status 410).')`,
    [subscriberId, ...sealed],
  );
  return linksOf(box, '', subscriberId).preferences.replace('/preferences', '');
}

/** Starts a service that runs no checks, so that its content does not change. */
export function startStillApp(): Promise<TestApp> {
  return startApp({ DESIGN_PAGE: 'true' }, async (url) => {
    const database = new Database({ connectionString: url });
    await database.connect();
    await database.query(
      `INSERT INTO leases (name, holder, epoch, expires_at, served_until)
       VALUES ('dispatcher', gen_random_uuid(), 1, now() + interval '10 years', now())`,
    );
    await database.end();
    return url;
  });
}

/** Fills a service through its API, and with past checks, one every `intervalSeconds`. */
export async function fillWorld(app: TestApp, content: Content, intervalSeconds: number): Promise<World> {
  const { ours } = app.teams;
  const api = app.api(ours.admin);
  const nowMs = Date.now();
  await app.query('UPDATE teams SET name = $1 WHERE id = $2', [content.teamName, ours.id]);
  const people = {} as Record<Role, TestPerson>;
  for (const role of ROLES) people[role] = await personNamed(app, ours.id, role, content.people[role]);
  await addLocations(app, content);
  const monitors = await makeMonitors(app, api, content, intervalSeconds, nowMs);
  const { body: key } = await api.post<{ id: string }>('/v1/api-keys', { name: content.keyName, scopes: ['write'] });
  await app.query('UPDATE api_keys SET created_by = $2 WHERE id = $1', [key.id, `user:${people.owner.userId}`]);
  const windows: string[] = [];
  for (const window of content.windows) windows.push(await made(api, '/v1/maintenance-windows', window));
  const { monitorKeys, reason } = content.exclusion;
  const yesterday = {
    from: new Date(nowMs - 90_000_000).toISOString(),
    to: new Date(nowMs - 86_400_000).toISOString(),
  };
  const excluded = { monitorIds: monitorKeys.map(byKey), reason, ...yesterday };
  const exclusionId = await made(api, '/v1/exclusions', excluded);
  const ids = content.monitors.map(({ definition }) => monitors[definition.key]!);
  const paused = content.monitors.findIndex(({ pausedFor }) => pausedFor !== undefined);
  const monitorId = ids[0]!;
  const { body: failed } = await api.get<Page<CheckDto>>(`/v1/monitors/${monitorId}/checks?status=down&limit=1`);
  const { name, slug } = content.statusPage;
  const draft = { name, slug: `${slug}-draft`, published: false, components: [] };
  const { channelId, policyId } = await makePolicy(api, content);
  const incidents = await makeIncidents(api, content);
  await recordNotifications(app, { ...incidents, channelId, policyId, monitorId }, content, nowMs);
  await recordEscalation(app, ours.id, incidents.detectedId, { channelId, policyId });
  await recordOutages(app, { channelId, policyId, monitorId }, nowMs);
  // No policy applies to this monitor, so that the drill notifies nobody.
  const drillId = await made(api, `/v1/monitors/${ids.at(-1)!}/drill`, { endAfterSeconds: 3_600 });
  const silence = { match: { tags: content.silence.tags }, durationSeconds: 7_200, reason: content.silence.reason };
  await made(api, '/v1/silences', silence);
  const statusPageId = await made(api, '/v1/status-pages', content.statusPage);
  const subscriberIds: string[] = [];
  for (const email of ['sam@example.com', 'kim@example.com']) {
    const subscriber = { email, consentSource: 'Support contract of 1 March 2026' };
    subscriberIds.push(await made(api, `/v1/status-pages/${statusPageId}/subscribers`, subscriber));
  }
  const subscription = await addWebhook(app, subscriberIds[0]!);
  return {
    app,
    content,
    people,
    monitors,
    windows,
    keyId: key.id,
    pingKeyId: await made(api, '/v1/ping-keys', { name: content.keyName }),
    monitorId,
    pausedId: ids[paused]!,
    youngestId: ids.at(-1)!,
    ...(await located(api, content, monitors, { locatedId: monitorId, locatedIncidentId: incidents.detectedId })),
    checkId: failed.data[0]!.id,
    exclusionId,
    excludedId: monitors[monitorKeys[0]!]!,
    newcomer: await makeNewcomer(app, people.viewer),
    ...incidents,
    drillId,
    statusPageId,
    subscription,
    draftId: await made(api, '/v1/status-pages', draft),
    channelId,
    policyId,
    invitation: await invite(app, ours.id, people.owner, content),
    resetToken: await app.backstage.provider<ResetLinks>('ResetLinks').createUnlimited(people.editor.userId),
  };
}

/** Creates a person with an email address derived from the name. */
async function personNamed(app: TestApp, teamId: TeamId, role: Role, name: string): Promise<TestPerson> {
  const person = await makePerson(app, teamId, role, name);
  const email = `${name
    .toLowerCase()
    .replace(/[^a-z]+/g, '.')
    .slice(0, 40)}@example.com`;
  await app.query('UPDATE users SET email = $2 WHERE id = $1', [person.userId, email]);
  return { ...person, email };
}

/** Creates a policy with a channel that nothing reaches, because nothing happens after the policy is created. */
async function makePolicy(api: Client, { channelName, policyName }: Content) {
  const settings = { url: 'https://bot.example/hook', headers: { Authorization: 'Bearer s3cr3t' } };
  const channelId = await made(api, '/v1/notification-channels', { name: channelName, type: 'webhook', settings });
  const steps = [
    { afterSeconds: 0, channelIds: [channelId] },
    { afterSeconds: 300, channelIds: [channelId] },
  ];
  const policy = { name: policyName, match: { tags: ['production'] }, steps };
  await made(api, '/v1/notification-policies', { ...policy, name: 'At night', enabled: false });
  return { channelId, policyId: await made(api, '/v1/notification-policies', policy) };
}

/** The channel and the policy of recorded notifications. */
interface Route {
  channelId: string;
  policyId: string;
}

/** Stores notifications about an incident as if they had been sent, because nothing reaches the channel. */
async function recordEscalation(
  app: TestApp,
  teamId: TeamId,
  incidentId: string,
  { channelId, policyId }: Route,
): Promise<void> {
  await app.query(
    `INSERT INTO notifications (id, team_id, key, alert_key, kind, event_id, incident_id, monitor_ids, policy_id,
       step, repeat, channel_id, status, reason, settled, due_at, created_at, sent_at)
     SELECT gen_random_uuid(), $1, gen_random_uuid(), i.id::text || '/1', n.kind, gen_random_uuid(), i.id, '{}', $4,
       n.step, n.repeat, $3, n.status, n.reason, true, at, at, CASE WHEN n.status = 'sent' THEN at + interval '840 ms' END
     FROM incidents i,
       (VALUES ('trigger', 1, 0, 'sent', NULL, 0), ('trigger', 2, 0, 'sent', NULL, 5), ('repeat', 2, 1, 'sent', NULL, 6),
         ('repeat', 2, 2, 'sent', NULL, 7), ('trigger', 3, 0, 'suppressed', 'acknowledged', 8))
         AS n (kind, step, repeat, status, reason, minute),
       LATERAL (SELECT i.confirmed_at + n.minute * interval '1 minute' AS at) AS moment
     WHERE i.id = $2`,
    [teamId, incidentId, channelId, policyId],
  );
}

const byKey = (key: string): string => `key:${key}`;

async function made(api: Client, path: string, body: object): Promise<string> {
  const { status, body: answer } = await api.post<{ id: string }>(path, body);
  if (status !== 201) throw new Error(`${path} responded with ${status}: ${JSON.stringify(answer)}`);
  return answer.id;
}

async function makeMonitors(app: TestApp, api: Client, content: Content, intervalSeconds: number, nowMs: number) {
  const ids: Record<string, string> = {};
  for (const { definition } of content.monitors) {
    ids[definition.key] = await made(api, '/v1/monitors', { intervalSeconds, failureThreshold: 1, ...definition });
  }
  const lived = content.monitors.map((one) => ({
    id: ids[one.definition.key]!,
    content: one,
    intervalMs: Number(one.definition.intervalSeconds ?? intervalSeconds) * 1_000,
  }));
  await recordPast(app, lived, nowMs);
  for (const { definition, pausedFor } of content.monitors) {
    if (pausedFor !== undefined) await api.post(`/v1/monitors/${byKey(definition.key)}/pause`, { reason: pausedFor });
  }
  return ids;
}

async function makeIncidents(api: Client, { incident, acknowledgement, pastTitle }: Content) {
  const [first, ...others] = incident.updates;
  const incidentId = await made(api, '/v1/incidents', {
    title: incident.title,
    impact: 'degraded',
    monitorIds: incident.monitorKeys.map(byKey),
    update: first,
  });
  for (const update of others) await api.post(`/v1/incidents/${incidentId}/updates`, update);
  const { body } = await api.get<Page<IncidentDto>>('/v1/incidents?limit=100');
  const detected = body.data.find(({ kind, resolvedAt }) => kind === 'detected' && resolvedAt === null)!;
  await api.post(`/v1/incidents/${detected.id}/acknowledge`, { note: acknowledgement });
  const at = (hoursAgo: number): string => new Date(Date.now() - hoursAgo * HOUR_MS).toISOString();
  const resolvedId = await made(api, '/v1/incidents', {
    title: pastTitle,
    impact: 'down',
    monitorIds: incident.monitorKeys.map(byKey),
    startedAt: at(75),
    resolvedAt: at(73.5),
    update: { phase: 'resolved', text: incident.updates[0]!.text },
  });
  return { incidentId, detectedId: detected.id, resolvedId };
}

async function invite(app: TestApp, teamId: TeamId, { userId }: TestPerson, { invitee }: Content): Promise<string> {
  const memberships = app.backstage.provider<MembershipService>('MembershipService');
  const { token } = await memberships.invite(
    { teamId, userId, role: 'owner' },
    { role: 'editor', email: 'invited@example.com' },
  );
  // Any text, as from a time without a mail server.
  await app.query('UPDATE invitations SET email = $2 WHERE team_id = $1', [teamId, invitee]);
  return token;
}

/** Creates the owner of a new team, in which another person is also a member. */
async function makeNewcomer(app: TestApp, other: TestPerson): Promise<TestPerson> {
  const [team] = await app.query<{ id: TeamId }>(
    `INSERT INTO teams (id, name) VALUES (gen_random_uuid(), 'New team') RETURNING id`,
  );
  await addMember(app, team!.id, other.userId, 'viewer');
  return makePerson(app, team!.id, 'owner', 'Nora New');
}
