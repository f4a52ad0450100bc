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
  checkId: string;
  incidentId: string;
  pageId: string;
  exclusionId: string;
  slug: string;
  windowId: string;
  componentId: string;
  keyId: string;
  metricsToken: string;
}

/** Returns the body of a successful response. Throws an error with the code and details of a problem. */
function good<Body>({ data, error, response }: { data?: Body; error?: unknown; response: Response }): Body {
  if (response.ok) return data as Body;
  const { code, detail, errors = [] } = error as components['schemas']['Problem'];
  throw new Error([code, detail, ...errors.map((one) => `${one.pointer ?? one.parameter} ${one.code}`)].join(', '));
}

const itemOf = (id: string) => ({ path: { id } });

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
    return data.map(({ key, intervalSeconds }) => `${key}: ${intervalSeconds}`);
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
  async getUptime({ api, monitorId }) {
    const params = { ...itemOf(monitorId), query: { days: 30, fidelity: true } };
    const { totals, days } = good(await api.GET('/v1/monitors/{id}/uptime', { params }));
    return totals.downSeconds + days.reduce((sum, day) => sum + day.incidentCount + (day.checksMissed ?? 0), 0);
  },
  async listTransitions({ api, monitorId }) {
    const page = good(await api.GET('/v1/monitors/{id}/transitions', { params: itemOf(monitorId) }));
    return page.data.map(({ from, to, at }) => `${from} ${to} ${at}`);
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
  async getSlaReport({ api, monitorId }) {
    const query = { monitorId: [monitorId], target: '99.95', raw: true };
    const report = good(await api.GET('/v1/reports/sla', { params: { query } }));
    // The report is CSV if requested by `Accept`.
    if (typeof report === 'string') return report.length;
    const { monitors, total } = report;
    return monitors.map(({ name, met }) => `${name}: ${met} of ${total.errorBudgetSeconds}`);
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
    const body = { description: 'All that our customers use.', timezone: null };
    const page = good(await api.PATCH('/v1/status-pages/{id}', { params: itemOf(pageId), body }));
    return page.timezone;
  },
  async deleteStatusPage({ api, pageId }) {
    return good(await api.DELETE('/v1/status-pages/{id}', { params: itemOf(pageId) }));
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
  async addIncidentUpdate({ api, incidentId }) {
    const body = { phase: 'resolved' as const, text: 'All payments are through.' };
    const incident = good(await api.POST('/v1/incidents/{id}/updates', { params: itemOf(incidentId), body }));
    return incident.status;
  },

  async createApiKey({ api }) {
    const key = good(await api.POST('/v1/api-keys', { body: { name: 'GitHub Actions', scopes: ['write'] } }));
    return key.id;
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
