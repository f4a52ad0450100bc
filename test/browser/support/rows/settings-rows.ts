import { type World } from '../world.js';
import { at, NO_ROUTE, type PageRow, submit } from './page-row.js';

const KEYS = '/settings/api-keys';
const PING_KEYS = '/settings/ping-keys';
const NOTIFICATIONS = '/settings/notifications';
const POLICIES = `${NOTIFICATIONS}/policies`;
const SILENCES = `${NOTIFICATIONS}/silences`;
const LOG = `${NOTIFICATIONS}/log`;
const REPORT = `${NOTIFICATIONS}/report`;
const AUDIT_LOG = '/settings/audit-log';
const TEAM = '/settings/team';

/** Pages of API keys, the team and the account, and the gallery of components. */
export const SETTINGS_ROWS: readonly PageRow[] = [
  { name: 'design', route: '/design', who: 'owner', path: at('/design') },
  { name: 'api-keys', route: KEYS, who: 'owner', path: at(KEYS) },
  { name: 'api-keys-viewer', pictured: false, route: KEYS, who: 'viewer', path: at(KEYS) },
  { name: 'api-keys-empty', route: KEYS, who: 'newcomer', path: at(KEYS) },
  {
    name: 'api-keys-revoked',
    pictured: false,
    route: KEYS,
    who: 'owner',
    path: at(`${KEYS}?revoked=true&done=revoked`),
  },
  { name: 'notifications', route: NOTIFICATIONS, who: 'owner', path: at(NOTIFICATIONS) },
  { name: 'notifications-viewer', pictured: false, route: NOTIFICATIONS, who: 'viewer', path: at(NOTIFICATIONS) },
  { name: 'notifications-empty', route: NOTIFICATIONS, who: 'newcomer', path: at(NOTIFICATIONS) },
  {
    name: 'channel-new',
    route: `${NOTIFICATIONS}/new`,
    who: 'newcomer',
    path: at(`${NOTIFICATIONS}/new?type=webhook`),
  },
  ...['edit', 'delete'].map((action) => ({
    name: `channel-${action}`,
    route: `${NOTIFICATIONS}/:id/${action}`,
    who: 'editor' as const,
    path: ({ channelId }: World) => `${NOTIFICATIONS}/${channelId}/${action}`,
  })),
  {
    name: 'channel-rotate',
    pictured: false,
    route: `${NOTIFICATIONS}/:id/rotate`,
    who: 'owner',
    path: ({ channelId }) => `${NOTIFICATIONS}/${channelId}/rotate`,
  },
  { name: 'policy-new', route: `${POLICIES}/new`, who: 'editor', path: at(`${POLICIES}/new`) },
  { name: 'policy-new-empty', pictured: false, route: `${POLICIES}/new`, who: 'newcomer', path: at(`${POLICIES}/new`) },
  {
    name: 'policy-refused',
    route: `${POLICIES}/new`,
    who: 'editor',
    path: at(`${POLICIES}/new`),
    act: async (page) => {
      await page.getByLabel('Selected monitors').check();
      await page.getByLabel('Hold notifications during quiet hours').check();
      await page.getByLabel('Time zone').fill('Nowhere');
      await page.getByRole('button', { name: 'Add step', exact: true }).click();
      await page.getByLabel('Delay of step 2', { exact: true }).waitFor();
      await page.locator('main form').evaluate((form) => form.setAttribute('novalidate', ''));
      await submit(page, 'Create policy');
    },
  },
  ...['edit', 'delete'].map((action) => ({
    name: `policy-${action}`,
    route: `${POLICIES}/:id/${action}`,
    who: 'editor' as const,
    path: ({ policyId }: World) => `${POLICIES}/${policyId}/${action}`,
  })),
  { name: 'silences', route: SILENCES, who: 'editor', path: at(SILENCES) },
  { name: 'silences-viewer', pictured: false, route: SILENCES, who: 'viewer', path: at(SILENCES) },
  { name: 'silences-empty', route: SILENCES, who: 'newcomer', path: at(SILENCES) },
  { name: 'silence-new', route: `${SILENCES}/new`, who: 'editor', path: at(`${SILENCES}/new`) },
  {
    name: 'silence-refused',
    pictured: false,
    route: `${SILENCES}/new`,
    who: 'editor',
    path: at(`${SILENCES}/new`),
    act: async (page) => {
      await page.getByLabel('Selected monitors').check();
      await page.getByLabel('Duration').selectOption('date');
      await page.getByLabel('Reason').fill(' ');
      await submit(page, 'Create silence');
    },
  },
  { name: 'delivery-log', route: LOG, who: 'editor', path: at(LOG) },
  { name: 'delivery-log-viewer', pictured: false, route: LOG, who: 'viewer', path: at(`${LOG}?status=failed`) },
  { name: 'delivery-log-empty', route: LOG, who: 'newcomer', path: at(LOG) },
  { name: 'alerting-report', route: REPORT, who: 'owner', path: at(REPORT) },
  { name: 'alerting-report-empty', route: REPORT, who: 'newcomer', path: at(REPORT) },
  { name: 'audit-log', route: AUDIT_LOG, who: 'owner', path: at(AUDIT_LOG) },
  { name: 'audit-log-viewer', pictured: false, route: AUDIT_LOG, who: 'viewer', path: at(AUDIT_LOG) },
  {
    name: 'api-keys-refused',
    route: KEYS,
    who: 'editor',
    path: at(KEYS),
    act: async (page) => {
      await page.getByLabel('Name').fill(' ');
      await page.getByLabel('Expires').selectOption('date');
      await submit(page, 'Create API key');
    },
  },
  {
    name: 'api-key-made',
    route: KEYS,
    who: 'newcomer',
    path: at(KEYS),
    act: async (page) => {
      await page.getByLabel('Name').fill('Deploy pipeline');
      await submit(page, 'Create API key');
    },
  },
  ...['rotate', 'revoke'].map((action) => ({
    name: `api-key-${action}`,
    route: `${KEYS}/:id/${action}`,
    who: 'owner' as const,
    path: ({ keyId }: World) => `${KEYS}/${keyId}/${action}`,
  })),
  { name: 'ping-keys', route: PING_KEYS, who: 'owner', path: at(PING_KEYS) },
  { name: 'ping-keys-viewer', pictured: false, route: PING_KEYS, who: 'viewer', path: at(PING_KEYS) },
  { name: 'ping-keys-empty', pictured: false, route: PING_KEYS, who: 'newcomer', path: at(PING_KEYS) },
  {
    name: 'ping-key-made',
    route: PING_KEYS,
    who: 'newcomer',
    path: at(PING_KEYS),
    act: async (page) => {
      await page.getByLabel('Name').fill('Cron on web-1');
      await submit(page, 'Create ping key');
    },
  },
  {
    name: 'ping-key-delete',
    pictured: false,
    route: `${PING_KEYS}/:id/delete`,
    who: 'owner',
    path: ({ pingKeyId }) => `${PING_KEYS}/${pingKeyId}/delete`,
  },
  { name: 'team', route: TEAM, who: 'owner', path: at(TEAM) },
  { name: 'team-viewer', pictured: false, route: TEAM, who: 'viewer', path: at(TEAM) },
  { name: 'team-empty', pictured: false, route: TEAM, who: 'newcomer', path: at(TEAM) },
  {
    name: 'team-invited',
    route: TEAM,
    who: 'newcomer',
    path: at(TEAM),
    act: (page) => submit(page, 'Create invitation'),
  },
  {
    name: 'member-remove',
    route: `${TEAM}/members/:userId/remove`,
    who: 'owner',
    path: ({ people }) => `${TEAM}/members/${people.viewer.userId}/remove`,
  },
  { name: 'team-leave', route: `${TEAM}/leave`, who: 'editor', path: at(`${TEAM}/leave`) },
  { name: 'account', route: '/settings/account', who: 'owner', path: at('/settings/account') },
  { name: 'not-found', route: `${KEYS}/:id/rotate`, who: 'owner', path: at(`${KEYS}/none/rotate`) },
  {
    name: 'not-allowed',
    pictured: false,
    route: `${KEYS}/:id/rotate`,
    who: 'viewer',
    path: ({ keyId }) => `${KEYS}/${keyId}/rotate`,
  },
  { name: 'nothing', pictured: false, route: NO_ROUTE, who: 'guest', path: at('/nothing') },
];
