import { type Client } from 'openapi-fetch';
import { type components, type operations, type paths } from '../../build/client/api.js';

/** The resources for the calls. They already exist, except `fresh`. */
export interface Given {
  /** A client with an admin key. */
  api: Client<paths>;
  /** A URL that checks may request. */
  url: string;
  /** An unused natural key and slug. */
  fresh: string;
  monitorId: string;
  /** A heartbeat monitor, and its token. */
  jobId: string;
  token: string;
  checkId: string;
  incidentId: string;
  operationId: string;
  eventId: string;
  pageId: string;
  exclusionId: string;
  slug: string;
  windowId: string;
  policyId: string;
  channelId: string;
  /** A channel that no policy uses. */
  unusedChannelId: string;
  /** A channel of PagerDuty. */
  pager: { id: string; webhookSecret: string };
  silenceId: string;
  subscriberId: string;
  notificationId: string;
  componentId: string;
  keyId: string;
  pingKeyId: string;
  metricsToken: string;
  mailEventsSecret: string;
}

/** Returns the body of a successful response. Throws an error with the code and details of a problem. */
function good<Body>({ data, error, response }: { data?: Body; error?: unknown; response: Response }): Body {
  if (response.ok) return data as Body;
  const { code, detail, errors = [] } = error as components['schemas']['Problem'];
  throw new Error([code, detail, ...errors.map((one) => `${one.pointer ?? one.parameter} ${one.code}`)].join(', '));
}

const itemOf = (id: string) => ({ path: { id } });

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

/** Returns the HMAC-SHA256 of a text. */
async function hmac(key: Uint8Array<ArrayBuffer>, text: string): Promise<Uint8Array> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const signer = await crypto.subtle.importKey('raw', key, algorithm, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', signer, bytesOf(text)));
}

type Calls = { [Id in keyof operations]: (given: Given) => Promise<unknown> };

/**
 * One call of each operation with a client generated from the OpenAPI document. The file does not compile if an
 * operation is missing here or no longer exists, or if a call no longer matches the document.
 */
export const calls = {
  async createMonitor({ api, url }) {
    const monitor = good(
      await api.POST('/v1/monitors', {
        body: {
          type: 'http',
          name: 'Checkout API',
          url,
          expectedStatusCodes: ['2xx', 301],
          auth: { type: 'bearer', token: 's3cr3t' },
          assertions: [{ source: 'responseTimeMs', comparison: 'lessThan', target: 2_000 }],
          quorum: 'any',
          tags: ['production'],
          paused: true,
        },
        params: { header: { 'Idempotency-Key': crypto.randomUUID() } },
      }),
    );
    return monitor.id;
  },
  async listMonitors({ api }) {
    const { data, nextCursor } = good(
      await api.GET('/v1/monitors', {
        params: {
          query: { status: ['up', 'paused'], type: 'http', tag: ['production'], sort: '-createdAt', limit: 10 },
        },
      }),
    );
    return { names: data.map(({ name }) => name), nextCursor };
  },
  async getMonitor({ api, monitorId }) {
    const monitor = good(await api.GET('/v1/monitors/{id}', { params: itemOf(monitorId) }));
    if (monitor.type === 'http') return monitor.url;
    // The type discriminates the known monitor types from those that the client does not know.
    return monitor.type === 'tcp' ? `${monitor.host}:${monitor.port}` : monitor.name;
  },
  async getMonitorDefinition({ api, monitorId }) {
    const definition = good(await api.GET('/v1/monitors/{id}/definition', { params: itemOf(monitorId) }));
    return definition.type === 'http' ? definition.url : definition.paused;
  },
  async listMonitorDefinitions({ api }) {
    const params = { query: { tag: ['production'], sort: 'name' as const } };
    const { data } = good(await api.GET('/v1/definitions/monitors', { params }));
    return data.map((one) => `${one.key}: ${one.type === 'heartbeat' ? 'reports' : one.intervalSeconds}`);
  },
  async putMonitor({ api, fresh, url, monitorId }) {
    const body = { type: 'http' as const, name: 'Checkout API', url, parentIds: [monitorId], paused: true };
    const monitor = good(await api.PUT('/v1/monitors/{id}', { params: itemOf(`key:${fresh}`), body }));
    return monitor.revision + 1;
  },
  async updateMonitor({ api, monitorId }) {
    const body = { intervalSeconds: 30, description: null };
    const { lastError, parentIds } = good(await api.PATCH('/v1/monitors/{id}', { params: itemOf(monitorId), body }));
    return lastError?.code ?? parentIds.length;
  },
  async deleteMonitor({ api, monitorId }) {
    return good(await api.DELETE('/v1/monitors/{id}', { params: itemOf(monitorId) }));
  },
  async pauseMonitor({ api, monitorId }) {
    const body = { durationSeconds: 600, reason: 'Deploying 2.4.0' };
    const monitor = good(await api.POST('/v1/monitors/{id}/pause', { params: itemOf(monitorId), body }));
    return monitor.pausedUntil;
  },
  async resumeMonitor({ api, monitorId }) {
    const monitor = good(await api.POST('/v1/monitors/{id}/resume', { params: itemOf(monitorId) }));
    return monitor.status;
  },
  async rotateMonitorToken({ api, jobId }) {
    const monitor = good(await api.POST('/v1/monitors/{id}/rotate-token', { params: itemOf(jobId) }));
    return monitor.pingUrl;
  },
  async testMonitor({ api, url }) {
    const body = { type: 'http', name: 'Not stored', url } as const;
    const { status, error } = good(await api.POST('/v1/monitors/test', { body }));
    return error === null ? status : `${status}: ${error.code}`;
  },
  async requestCheck({ api, monitorId }) {
    const params = { ...itemOf(monitorId), query: { wait: true } };
    const check = good(await api.POST('/v1/monitors/{id}/checks', { params }));
    if (check.checkedAt === null) throw new Error('the check has not finished');
    return check.id;
  },
  async createOperation({ api, monitorId }) {
    const body = { action: 'patch' as const, select: { ids: [monitorId] }, patch: { intervalSeconds: 30 } };
    const operation = good(await api.POST('/v1/monitors/bulk', { body }));
    // Only a small operation is finished and has its results in the response.
    if (!('results' in operation)) throw new Error(`the operation ${operation.id} has not finished`);
    for (const { name, error } of operation.results) if (error) throw new Error(`${name}: ${error.code}`);
    return operation.id;
  },
  async getOperation({ api, operationId }) {
    const { status, done, total, failed } = good(await api.GET('/v1/operations/{id}', { params: itemOf(operationId) }));
    return `${status}: ${done} of ${total}, ${failed} failed`;
  },
  async listOperationResults({ api, operationId }) {
    const params = { ...itemOf(operationId), query: { status: 'failed' as const } };
    const page = good(await api.GET('/v1/operations/{id}/results', { params }));
    return page.data.map(({ name, address, error }) => `${name ?? address}: ${error?.detail}`);
  },
  async listChecks({ api, monitorId }) {
    const query = { status: 'up', trigger: 'manual', from: '2026-01-01T00:00:00.000Z' } as const;
    const page = good(await api.GET('/v1/monitors/{id}/checks', { params: { ...itemOf(monitorId), query } }));
    return page.data.map((check) => check.timings.connectMs ?? 0);
  },
  async getCheck({ api, monitorId, checkId }) {
    const path = { id: monitorId, checkId };
    const check = good(await api.GET('/v1/monitors/{id}/checks/{checkId}', { params: { path } }));
    return check.failedAssertions.map(({ index, actual }) => `${index}: ${actual}`);
  },
  async getResponseTimes({ api, monitorId }) {
    const params = {
      ...itemOf(monitorId),
      query: { from: new Date(Date.now() - 3_600_000).toISOString(), points: 12 },
    };
    const { bucketSeconds, buckets } = good(await api.GET('/v1/monitors/{id}/response-times', { params }));
    return buckets.map(({ from, p95ResponseTimeMs }) => `${from} + ${bucketSeconds} s: ${p95ResponseTimeMs ?? 0}`);
  },
  async getUptime({ api, monitorId }) {
    const params = { ...itemOf(monitorId), query: { days: 30, fidelity: true } };
    const { totals, days } = good(await api.GET('/v1/monitors/{id}/uptime', { params }));
    return totals.downSeconds + days.reduce((sum, day) => sum + day.incidentCount + (day.checksMissed ?? 0), 0);
  },
  async listTransitions({ api, monitorId }) {
    const page = good(await api.GET('/v1/monitors/{id}/transitions', { params: itemOf(monitorId) }));
    return page.data.map(({ from, to, at }) => `${from} ${to} ${at}`);
  },

  async reportSuccess({ api, token }) {
    const params = { path: { token }, query: { rid: 'run-17' } };
    return good(await api.POST('/ping/{token}', { params, body: 'done', parseAs: 'text' }));
  },
  async reportSignal({ api, token }) {
    const params = { path: { token, signal: 'start' } };
    return good(await api.POST('/ping/{token}/{signal}', { params, parseAs: 'text' }));
  },
  async reportPush({ api, token }) {
    const params = { path: { token }, query: { status: 'up', msg: 'OK', ping: '1500' } };
    return good(await api.GET('/api/push/{token}', { params })).ok;
  },
  async createPingKey({ api }) {
    const key = good(await api.POST('/v1/ping-keys', { body: { name: 'Cron on web-1' } }));
    return key.id;
  },
  async listPingKeys({ api }) {
    const page = good(await api.GET('/v1/ping-keys'));
    return page.data.map(({ name, prefix, createdBy }) => `${name} ${prefix} ${createdBy}`);
  },
  async getPingKey({ api, pingKeyId }) {
    return good(await api.GET('/v1/ping-keys/{id}', { params: itemOf(pingKeyId) })).prefix;
  },
  async deletePingKey({ api, pingKeyId }) {
    return good(await api.DELETE('/v1/ping-keys/{id}', { params: itemOf(pingKeyId) }));
  },

  async createExclusion({ api, monitorId }) {
    const body = {
      monitorIds: [monitorId],
      from: '2026-01-01T12:00:00.000Z',
      to: '2026-01-01T12:30:00.000Z',
      reason: 'Our own load test',
    };
    const exclusion = good(await api.POST('/v1/exclusions', { body }));
    return exclusion.id;
  },
  async listExclusions({ api, monitorId }) {
    const query = { monitorId, from: '2026-01-01T00:00:00.000Z', deleted: false };
    const page = good(await api.GET('/v1/exclusions', { params: { query } }));
    return page.data.map(({ reason, createdBy, deletedAt }) => `${reason} ${createdBy} ${deletedAt}`);
  },
  async getExclusion({ api, exclusionId }) {
    const exclusion = good(await api.GET('/v1/exclusions/{id}', { params: itemOf(exclusionId) }));
    return exclusion.monitorIds.length + exclusion.tags.length;
  },
  async deleteExclusion({ api, exclusionId }) {
    return good(await api.DELETE('/v1/exclusions/{id}', { params: itemOf(exclusionId) }));
  },
  async getAlertingReport({ api }) {
    const params = { query: { from: '2026-01-01', to: '2026-01-31' } };
    const { total, channels } = good(await api.GET('/v1/reports/alerting', { params }));
    return channels.map(
      ({ name, confirmedToSent }) => `${name}: ${confirmedToSent.p95Seconds} of ${total.notifiedCount}`,
    );
  },
  async getSlaReport({ api, monitorId }) {
    const query = { monitorId: [monitorId], target: '99.95', raw: true };
    const report = good(await api.GET('/v1/reports/sla', { params: { query } }));
    // The report is CSV if requested by `Accept`.
    if (typeof report === 'string') return report.length;
    const { monitors, total } = report;
    return monitors.map(({ name, met }) => `${name}: ${met} of ${total.errorBudgetSeconds}`);
  },

  async getOverview({ api }) {
    const { monitors, recent } = good(await api.GET('/v1/overview'));
    // Null for a team with very many monitors.
    if (recent === null) return monitors.down;
    const { day, tags, slowest, flakiest } = recent;
    return [
      `${monitors.down} of ${monitors.up + monitors.down}: ${day.uptimePercent}`,
      ...tags.map(({ tag, downSeconds }) => `${tag}: ${downSeconds}`),
      ...slowest.map(({ name, responseTimeMs }) => `${name}: ${responseTimeMs}`),
      ...flakiest.map(({ monitorId, incidentCount }) => `${monitorId}: ${incidentCount}`),
    ];
  },

  async createStatusPage({ api, fresh, monitorId }) {
    const body = { name: 'Example status', slug: fresh, monitorIds: [monitorId] };
    const page = good(await api.POST('/v1/status-pages', { body }));
    return page.id;
  },
  async listStatusPages({ api, slug }) {
    const page = good(await api.GET('/v1/status-pages', { params: { query: { slug } } }));
    return page.data.map(({ name, components }) => `${name}: ${components.length}`);
  },
  async getStatusPage({ api, pageId }) {
    const page = good(await api.GET('/v1/status-pages/{id}', { params: itemOf(pageId) }));
    return page.publicUrl;
  },
  async getStatusPageDefinition({ api, pageId }) {
    const definition = good(await api.GET('/v1/status-pages/{id}/definition', { params: itemOf(pageId) }));
    return definition.components.map(({ monitorId }) => monitorId);
  },
  async listStatusPageDefinitions({ api, slug }) {
    const page = good(await api.GET('/v1/definitions/status-pages', { params: { query: { slug } } }));
    return page.data.map(({ name, components }) => `${name}: ${components.length}`);
  },
  async putStatusPage({ api, fresh, monitorId }) {
    const page = good(
      await api.PUT('/v1/status-pages/{id}', {
        params: itemOf(`key:${fresh}`),
        body: { name: 'Example status', slug: fresh, theme: 'dark', components: [{ monitorId }] },
      }),
    );
    return page.components[0]?.showUptime;
  },
  async updateStatusPage({ api, pageId }) {
    const body = { description: 'The services that our customers use.', timezone: null };
    const page = good(await api.PATCH('/v1/status-pages/{id}', { params: itemOf(pageId), body }));
    return page.timezone;
  },
  async deleteStatusPage({ api, pageId }) {
    return good(await api.DELETE('/v1/status-pages/{id}', { params: itemOf(pageId) }));
  },
  async createSubscriber({ api, pageId, fresh }) {
    const body = { email: `${fresh}@example.com`, consentSource: 'A contract' };
    return good(await api.POST('/v1/status-pages/{id}/subscribers', { params: itemOf(pageId), body })).id;
  },
  async listSubscribers({ api, pageId }) {
    const params = { ...itemOf(pageId), query: { status: 'active' as const } };
    const page = good(await api.GET('/v1/status-pages/{id}/subscribers', { params }));
    return page.data.map(({ email, componentIds }) => `${email}: ${componentIds?.length ?? 'all'}`);
  },
  async getSubscriber({ api, pageId, subscriberId }) {
    const params = { path: { id: pageId, subscriberId } };
    return good(await api.GET('/v1/status-pages/{id}/subscribers/{subscriberId}', { params })).status;
  },
  async deleteSubscriber({ api, pageId, subscriberId }) {
    const params = { path: { id: pageId, subscriberId } };
    return good(await api.DELETE('/v1/status-pages/{id}/subscribers/{subscriberId}', { params }));
  },
  async importSubscribers({ api, pageId, fresh }) {
    const body = { consentSource: 'A contract', csv: `email\n${fresh}@example.com\n` };
    const result = good(await api.POST('/v1/status-pages/{id}/subscribers/import', { params: itemOf(pageId), body }));
    return [result.imported, ...result.skipped.map(({ line, reason }) => `${line}: ${reason}`)];
  },
  async createMaintenanceWindow({ api, monitorId }) {
    const window = good(
      await api.POST('/v1/maintenance-windows', {
        body: {
          name: 'Database upgrade',
          monitorIds: [monitorId],
          startsAt: '2030-01-06T01:30:00Z',
          endsAt: '2030-01-06T03:30:00Z',
          timezone: 'Europe/Berlin',
          rrule: 'FREQ=MONTHLY;BYDAY=1SU',
        },
      }),
    );
    return window.id;
  },
  async listMaintenanceWindows({ api, monitorId }) {
    const query = { active: false, monitorId };
    const page = good(await api.GET('/v1/maintenance-windows', { params: { query } }));
    return page.data.map(({ name, rrule }) => `${name}: ${rrule}`);
  },
  async getMaintenanceWindow({ api, windowId }) {
    const window = good(await api.GET('/v1/maintenance-windows/{id}', { params: itemOf(windowId) }));
    return window.nextStartsAt;
  },
  async getMaintenanceWindowDefinition({ api, windowId }) {
    const definition = good(await api.GET('/v1/maintenance-windows/{id}/definition', { params: itemOf(windowId) }));
    return definition.monitorIds;
  },
  async listMaintenanceWindowDefinitions({ api }) {
    const params = { query: { tag: ['production'] } };
    const page = good(await api.GET('/v1/definitions/maintenance-windows', { params }));
    return page.data.map(({ key, timezone }) => `${key}: ${timezone}`);
  },
  async putMaintenanceWindow({ api, fresh }) {
    const body = { name: 'Deployment', tags: ['production'], public: false };
    const window = good(await api.PUT('/v1/maintenance-windows/{id}', { params: itemOf(`key:${fresh}`), body }));
    return window.key;
  },
  async updateMaintenanceWindow({ api, windowId }) {
    const body = { description: 'Short interruptions are likely.', rrule: null };
    const window = good(await api.PATCH('/v1/maintenance-windows/{id}', { params: itemOf(windowId), body }));
    return window.rrule;
  },
  async deleteMaintenanceWindow({ api, windowId }) {
    return good(await api.DELETE('/v1/maintenance-windows/{id}', { params: itemOf(windowId) }));
  },
  async startMaintenanceWindow({ api, windowId }) {
    const body = { durationSeconds: 900 };
    const window = good(await api.POST('/v1/maintenance-windows/{id}/start', { params: itemOf(windowId), body }));
    return window.active;
  },
  async endMaintenanceWindow({ api, windowId }) {
    const window = good(await api.POST('/v1/maintenance-windows/{id}/end', { params: itemOf(windowId) }));
    return window.active;
  },
  async createNotificationChannel({ api, fresh, url }) {
    const channel = good(
      await api.POST('/v1/notification-channels', {
        body: { key: `of-${fresh}`, name: 'Deploy bot', type: 'webhook', settings: { url } },
      }),
    );
    return channel.id;
  },
  async listNotificationChannels({ api }) {
    const page = good(await api.GET('/v1/notification-channels', { params: { query: { type: 'webhook' } } }));
    return page.data.map(({ name, health }) => `${name}: ${health.status}`);
  },
  async getNotificationChannel({ api, channelId }) {
    const channel = good(await api.GET('/v1/notification-channels/{id}', { params: itemOf(channelId) }));
    return channel.type === 'webhook' ? channel.settings.url : null;
  },
  async putNotificationChannel({ api, fresh }) {
    const body = { name: 'Mailbox', type: 'email' as const, settings: { to: ['ops@example.com'] } };
    const params = itemOf(`key:${fresh}`);
    return good(await api.PUT('/v1/notification-channels/{id}', { params, body })).key;
  },
  async updateNotificationChannel({ api, channelId }) {
    const body = { enabled: false, settings: { headers: { 'X-Team': 'payments' } } };
    return good(await api.PATCH('/v1/notification-channels/{id}', { params: itemOf(channelId), body })).enabled;
  },
  async deleteNotificationChannel({ api, unusedChannelId }) {
    return good(await api.DELETE('/v1/notification-channels/{id}', { params: itemOf(unusedChannelId) }));
  },
  async testNotificationChannel({ api, channelId }) {
    const delivery = good(await api.POST('/v1/notification-channels/{id}/test', { params: itemOf(channelId) }));
    return `${delivery.status} in ${delivery.durationMs} ms`;
  },
  async rotateNotificationChannelSecret({ api, channelId }) {
    const channel = good(await api.POST('/v1/notification-channels/{id}/rotate-secret', { params: itemOf(channelId) }));
    return channel.revision;
  },
  async receivePagerdutyProviderWebhook({ api, pager }) {
    const body = {
      event: {
        event_type: 'incident.acknowledged',
        occurred_at: new Date().toISOString(),
        data: { incident_key: `${pager.id}/1` },
      },
    };
    const mac = await hmac(bytesOf(pager.webhookSecret), JSON.stringify(body));
    const signature = Array.from(mac, (byte) => byte.toString(16).padStart(2, '0')).join('');
    const params = { path: { channelId: pager.id }, header: { 'X-PagerDuty-Signature': `v1=${signature}` } };
    return good(await api.POST('/provider-webhooks/pagerduty/{channelId}', { params, body }));
  },
  async receiveMailEvent({ api, mailEventsSecret, fresh }) {
    const body = [{ type: 'mail.bounced', data: { email: `${fresh}@example.com`, permanent: true } }];
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const key = Uint8Array.from(atob(mailEventsSecret.slice('whsec_'.length)), (one) => one.charCodeAt(0));
    const mac = await hmac(key, `${fresh}.${timestamp}.${JSON.stringify(body)}`);
    const signature = `v1,${btoa(String.fromCharCode(...mac))}`;
    const header = { 'webhook-id': fresh, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
    return good(await api.POST('/webhooks/mail-events', { params: { header }, body }));
  },
  async createNotificationPolicy({ api, monitorId, channelId }) {
    const policy = good(
      await api.POST('/v1/notification-policies', {
        body: {
          name: 'Production',
          match: { monitorIds: [monitorId], notTags: ['staging'] },
          on: ['down', 'degraded'],
          steps: [
            { afterSeconds: 0, channelIds: [channelId] },
            { afterSeconds: 300, channelIds: [channelId] },
          ],
          quietHours: { timezone: 'Europe/Berlin', days: ['saturday'], from: '22:00', to: '07:00', except: ['down'] },
        },
      }),
    );
    return policy.id;
  },
  async listNotificationPolicies({ api }) {
    const page = good(await api.GET('/v1/notification-policies', { params: { query: { enabled: true } } }));
    return page.data.map(({ name, steps }) => `${name}: ${steps.length}`);
  },
  async getNotificationPolicy({ api, policyId }) {
    const policy = good(await api.GET('/v1/notification-policies/{id}', { params: itemOf(policyId) }));
    return policy.quietHours?.from;
  },
  async putNotificationPolicy({ api, fresh, channelId }) {
    const body = { name: 'Everything', match: { all: true }, steps: [{ afterSeconds: 0, channelIds: [channelId] }] };
    const params = itemOf(`key:${fresh}`);
    return good(await api.PUT('/v1/notification-policies/{id}', { params, body })).key;
  },
  async updateNotificationPolicy({ api, policyId }) {
    const body = { enabled: false, quietHours: null };
    const policy = good(await api.PATCH('/v1/notification-policies/{id}', { params: itemOf(policyId), body }));
    return policy.enabled;
  },
  async deleteNotificationPolicy({ api, policyId }) {
    return good(await api.DELETE('/v1/notification-policies/{id}', { params: itemOf(policyId) }));
  },
  async previewNotificationPolicy({ api, monitorId }) {
    const body = { monitorId, event: 'down' as const, at: '2030-01-06T03:00:00Z' };
    const preview = good(await api.POST('/v1/notification-policies/preview', { body }));
    return preview.notifications.map(({ at, channel }) => `${at} ${channel.name}`);
  },
  async backtestNotificationPolicy({ api, policyId }) {
    const body = { policyId, timezone: 'Europe/Berlin' };
    const backtest = good(await api.POST('/v1/notification-policies/backtest', { body }));
    return backtest.channels.map(({ channel, notifications, atNight }) => [channel.name, notifications, atNight]);
  },
  async listMonitorNotificationPolicies({ api, monitorId }) {
    const { data } = good(await api.GET('/v1/monitors/{id}/notification-policies', { params: itemOf(monitorId) }));
    return data.flatMap(({ steps }) => steps.flatMap(({ channels }) => channels.map(({ name }) => name)));
  },
  async listLocations({ api }) {
    const page = good(await api.GET('/v1/locations', { params: { query: { limit: 10 } } }));
    return page.data.map(({ key, status, workers }) => `${key} ${status} ${workers.length}`);
  },
  async getLocation({ api }) {
    const { coordinates, checksPerSecond } = good(
      await api.GET('/v1/locations/{id}', { params: itemOf('key:default') }),
    );
    return [coordinates?.latitude, checksPerSecond];
  },
  async createSilence({ api, monitorId }) {
    const body = { match: { monitorIds: [monitorId] }, durationSeconds: 600, reason: 'Known fault' };
    return good(await api.POST('/v1/silences', { body })).id;
  },
  async listSilences({ api }) {
    const page = good(await api.GET('/v1/silences', { params: { query: { limit: 10 } } }));
    return page.data.map(({ reason, until }) => `${reason} until ${until}`);
  },
  async getSilence({ api, silenceId }) {
    return good(await api.GET('/v1/silences/{id}', { params: itemOf(silenceId) })).reason;
  },
  async deleteSilence({ api, silenceId }) {
    return good(await api.DELETE('/v1/silences/{id}', { params: itemOf(silenceId) }));
  },
  async listNotifications({ api, monitorId }) {
    const page = good(await api.GET('/v1/notifications', { params: { query: { monitorId, status: 'failed' } } }));
    return page.data.map(({ kind, reason }) => `${kind} ${reason ?? ''}`);
  },
  async getNotification({ api, notificationId }) {
    const { attempts } = good(await api.GET('/v1/notifications/{id}', { params: itemOf(notificationId) }));
    return attempts.map(({ at, error }) => `${at} ${error ?? 'sent'}`);
  },
  async retryNotification({ api, notificationId }) {
    return good(await api.POST('/v1/notifications/{id}/retry', { params: itemOf(notificationId) })).nextAttemptAt;
  },
  async listIncidentNotifications({ api, incidentId }) {
    const page = good(await api.GET('/v1/incidents/{id}/notifications', { params: itemOf(incidentId) }));
    return page.data.map(({ channelId, status }) => `${channelId} ${status}`);
  },
  async getPublicPage({ api, slug }) {
    const page = good(await api.GET('/status/{slug}.json', { params: { path: { slug } } }));
    return page.components.find(({ days }) => days !== null)?.id;
  },
  async getPublicPageHtml({ api, slug }) {
    const html = good(await api.GET('/status/{slug}', { params: { path: { slug } }, parseAs: 'text' }));
    return html.length;
  },
  async getPublicPageFeed({ api, slug }) {
    const feed = good(await api.GET('/status/{slug}/feed.atom', { params: { path: { slug } }, parseAs: 'text' }));
    return feed.length;
  },
  async getPublicIncidentHtml({ api, slug, incidentId }) {
    const params = { path: { slug, id: incidentId } };
    const html = good(await api.GET('/status/{slug}/incidents/{id}', { params, parseAs: 'text' }));
    return html.length;
  },
  async getPublicHistoryHtml({ api, slug }) {
    const html = good(await api.GET('/status/{slug}/history', { params: { path: { slug } }, parseAs: 'text' }));
    return html.length;
  },
  async getStatuspageSummary({ api, slug }) {
    const page = good(await api.GET('/status/{slug}/api/v2/summary.json', { params: { path: { slug } } }));
    return page.components.length;
  },
  async getStatuspageStatus({ api, slug }) {
    const page = good(await api.GET('/status/{slug}/api/v2/status.json', { params: { path: { slug } } }));
    return page.status.indicator;
  },
  async getStatuspageComponents({ api, slug }) {
    const page = good(await api.GET('/status/{slug}/api/v2/components.json', { params: { path: { slug } } }));
    return page.components.length;
  },
  async getStatuspageIncidents({ api, slug }) {
    const page = good(await api.GET('/status/{slug}/api/v2/incidents.json', { params: { path: { slug } } }));
    return page.incidents.length;
  },
  async getStatuspageUnresolvedIncidents({ api, slug }) {
    const page = good(await api.GET('/status/{slug}/api/v2/incidents/unresolved.json', { params: { path: { slug } } }));
    return page.incidents.length;
  },
  async getStatuspageMaintenances({ api, slug }) {
    const page = good(
      await api.GET('/status/{slug}/api/v2/scheduled-maintenances.json', { params: { path: { slug } } }),
    );
    return page.scheduled_maintenances.length;
  },
  async getStatuspageUpcomingMaintenances({ api, slug }) {
    const page = good(
      await api.GET('/status/{slug}/api/v2/scheduled-maintenances/upcoming.json', { params: { path: { slug } } }),
    );
    return page.scheduled_maintenances.length;
  },
  async getStatuspageActiveMaintenances({ api, slug }) {
    const page = good(
      await api.GET('/status/{slug}/api/v2/scheduled-maintenances/active.json', { params: { path: { slug } } }),
    );
    return page.scheduled_maintenances.length;
  },
  async getPublicCalendar({ api, slug }) {
    const params = { path: { slug } };
    const calendar = good(await api.GET('/status/{slug}/maintenance.ics', { params, parseAs: 'text' }));
    return calendar.length;
  },
  async getStatusBadge({ api, slug, componentId }) {
    const params = { path: { slug, componentId }, query: { label: 'API' } };
    const image = good(await api.GET('/badges/{slug}/{componentId}/status.svg', { params, parseAs: 'text' }));
    return image.length;
  },
  async getUptimeBadge({ api, slug, componentId }) {
    const params = { path: { slug, componentId } };
    const image = good(await api.GET('/badges/{slug}/{componentId}/uptime.svg', { params, parseAs: 'text' }));
    return image.length;
  },
  async getResponseTimeBadge({ api, slug, componentId }) {
    const params = { path: { slug, componentId } };
    const image = good(await api.GET('/badges/{slug}/{componentId}/response-time.svg', { params, parseAs: 'text' }));
    return image.length;
  },

  async createIncident({ api, monitorId }) {
    const body = {
      title: 'Payments are delayed',
      monitorIds: [monitorId],
      impact: 'degraded' as const,
      update: { phase: 'investigating' as const, text: 'We are looking into it.' },
    };
    const incident = good(await api.POST('/v1/incidents', { body }));
    return incident.id;
  },
  async listIncidents({ api, monitorId }) {
    const query = {
      status: 'open' as const,
      kind: 'manual' as const,
      monitorId,
      from: '2026-01-01T00:00:00Z',
      limit: 5,
    };
    const page = good(await api.GET('/v1/incidents', { params: { query } }));
    return page.data.map(({ title, durationSeconds }) => `${title}: ${durationSeconds ?? 'open'}`);
  },
  async listMonitorIncidents({ api, monitorId }) {
    const page = good(await api.GET('/v1/monitors/{id}/incidents', { params: itemOf(monitorId) }));
    return page.data.map(({ cause }) => cause?.errorCode ?? null);
  },
  async startMonitorDrill({ api, monitorId }) {
    const body = { endAfterSeconds: 300 };
    const drill = good(await api.POST('/v1/monitors/{id}/drill', { params: itemOf(monitorId), body }));
    return drill.endsAt;
  },
  async getIncident({ api, incidentId }) {
    const incident = good(await api.GET('/v1/incidents/{id}', { params: itemOf(incidentId) }));
    return incident.updates.map(({ phase, text }) => `${phase}: ${text}`);
  },
  async updateIncident({ api, incidentId }) {
    const body = { title: 'Payments by card are delayed' };
    const incident = good(await api.PATCH('/v1/incidents/{id}', { params: itemOf(incidentId), body }));
    return incident.revision;
  },
  async acknowledgeIncident({ api, incidentId }) {
    const params = itemOf(incidentId);
    const incident = good(await api.POST('/v1/incidents/{id}/acknowledge', { params, body: { note: 'On it.' } }));
    return incident.acknowledgedBy;
  },
  async unacknowledgeIncident({ api, incidentId }) {
    const incident = good(await api.POST('/v1/incidents/{id}/unacknowledge', { params: itemOf(incidentId) }));
    return incident.acknowledgedUntil;
  },
  async addIncidentUpdate({ api, incidentId }) {
    const body = { phase: 'resolved' as const, text: 'All payments are through.' };
    const incident = good(await api.POST('/v1/incidents/{id}/updates', { params: itemOf(incidentId), body }));
    return incident.status;
  },

  async createApiKey({ api }) {
    const key = good(await api.POST('/v1/api-keys', { body: { name: 'GitHub Actions', scopes: ['write'] } }));
    return key.id;
  },
  async listEvents({ api }) {
    const page = good(await api.GET('/v1/events', { params: { query: { type: ['monitor.*'], limit: 5 } } }));
    return page.data.map(({ type, resource, actor }) => `${type}: ${resource.name} by ${actor.name}`);
  },
  async getEvent({ api, eventId }) {
    const { changes } = good(await api.GET('/v1/events/{id}', { params: itemOf(eventId) }));
    return changes?.map(({ pointer }) => pointer) ?? [];
  },
  async getEventStream({ api }) {
    const stream = good(await api.GET('/v1/events/stream', { parseAs: 'stream' }));
    await stream?.cancel();
  },
  async listApiKeys({ api }) {
    const page = good(await api.GET('/v1/api-keys', { params: { query: { revoked: false } } }));
    return page.data.map(({ prefix, scopes }) => `${prefix}: ${scopes.join(' ')}`);
  },
  async getOwnApiKey({ api }) {
    const key = good(await api.GET('/v1/api-keys/self'));
    return key.expiresAt;
  },
  async rotateOwnApiKey({ api }) {
    const key = good(await api.POST('/v1/api-keys/self/rotate', { body: { overlapSeconds: 3_600 } }));
    return key.secret;
  },
  async getApiKey({ api, keyId }) {
    const key = good(await api.GET('/v1/api-keys/{id}', { params: itemOf(keyId) }));
    return key.name;
  },
  async updateApiKey({ api, keyId }) {
    const body = { name: 'Dashboard', scopes: ['read' as const] };
    const key = good(await api.PATCH('/v1/api-keys/{id}', { params: itemOf(keyId), body }));
    return key.scopes;
  },
  async rotateApiKey({ api, keyId }) {
    const key = good(await api.POST('/v1/api-keys/{id}/rotate', { params: itemOf(keyId), body: {} }));
    return key.previousExpiresAt;
  },
  async revokeApiKey({ api, keyId }) {
    return good(await api.DELETE('/v1/api-keys/{id}', { params: itemOf(keyId) }));
  },

  async getLiveness({ api }) {
    return good(await api.GET('/healthz')).status;
  },
  async getReadiness({ api }) {
    return good(await api.GET('/readyz')).parts.map(({ name, status }) => `${name}: ${status}`);
  },
  async getMetrics({ api, metricsToken }) {
    const headers = { authorization: `Bearer ${metricsToken}` };
    return good(await api.GET('/metrics', { headers, parseAs: 'text' })).length;
  },
} satisfies Calls;
