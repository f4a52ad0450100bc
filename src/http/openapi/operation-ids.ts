/** Ids that cannot be derived from the names of controller and handler. */
const NAMES: Readonly<Record<string, string>> = {
  'ApiKeys.self': 'getOwnApiKey',
  'ApiKeys.rotateSelf': 'rotateOwnApiKey',
  'Badges.status': 'getStatusBadge',
  'Badges.uptime': 'getUptimeBadge',
  'Badges.responseTime': 'getResponseTimeBadge',
  'BulkMonitors.start': 'createOperation',
  'Health.alive': 'getLiveness',
  'Health.ready': 'getReadiness',
  'Health.scrape': 'getMetrics',
  'Incidents.tell': 'addIncidentUpdate',
  'Monitors.rotateToken': 'rotateMonitorToken',
  'NotificationBacktests.test': 'backtestNotificationPolicy',
  'NotificationChannels.rotateSecret': 'rotateNotificationChannelSecret',
  'PublicPages.json': 'getPublicPage',
  'PublicPages.html': 'getPublicPageHtml',
  'PublicPages.feed': 'getPublicPageFeed',
  'PublicPages.ics': 'getPublicCalendar',
  'PublicPages.month': 'getPublicHistoryHtml',
  'PublicPages.incident': 'getPublicIncidentHtml',
  'ResponseTimes.get': 'getResponseTimes',
  'Statuspage.active': 'getStatuspageActiveMaintenances',
  'Statuspage.components': 'getStatuspageComponents',
  'Statuspage.incidents': 'getStatuspageIncidents',
  'Statuspage.maintenances': 'getStatuspageMaintenances',
  'Statuspage.status': 'getStatuspageStatus',
  'Statuspage.summary': 'getStatuspageSummary',
  'Statuspage.unresolved': 'getStatuspageUnresolvedIncidents',
  'Statuspage.upcoming': 'getStatuspageUpcomingMaintenances',
  'Subscribers.import': 'importSubscribers',
  'TrialChecks.run': 'testMonitor',
};

/**
 * Returns the id of an operation, from which generated clients derive function names: a verb and its object.
 * `MonitorsController.list` is `listMonitors`, its `get` is `getMonitor`, its `remove` is `deleteMonitor`.
 */
export function operationId(controller: string, method: string): string {
  const resource = controller.replace(/Controller$/, '');
  const known = NAMES[`${resource}.${method}`];
  if (known !== undefined) return known;
  if (method === 'list') return `list${resource}`;
  return `${method === 'remove' ? 'delete' : method}${resource.replace(/ies$/, 'y').replace(/s$/, '')}`;
}
