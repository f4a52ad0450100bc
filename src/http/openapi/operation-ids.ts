/** What the names of controller and handler do not say. */
const NAMES: Readonly<Record<string, string>> = {
  'ApiKeys.self': 'getOwnApiKey',
  'ApiKeys.rotateSelf': 'rotateOwnApiKey',
  'Badges.status': 'getStatusBadge',
  'Badges.uptime': 'getUptimeBadge',
  'Badges.responseTime': 'getResponseTimeBadge',
  'Health.alive': 'getLiveness',
  'Health.ready': 'getReadiness',
  'Health.scrape': 'getMetrics',
  'Incidents.tell': 'addIncidentUpdate',
  'PublicPages.json': 'getPublicPage',
  'PublicPages.html': 'getPublicPageHtml',
  'PublicPages.feed': 'getPublicPageFeed',
  'TrialChecks.run': 'testMonitor',
};

/**
 * The id of an operation, which generated clients make a function of: a verb and what it is done to. `MonitorsController.list`
 * is `listMonitors`, its `get` is `getMonitor`, its `remove` is `deleteMonitor`.
 */
export function operationId(controller: string, method: string): string {
  const resource = controller.replace(/Controller$/, '');
  const known = NAMES[`${resource}.${method}`];
  if (known !== undefined) return known;
  if (method === 'list') return `list${resource}`;
  return `${method === 'remove' ? 'delete' : method}${resource.replace(/s$/, '')}`;
}
