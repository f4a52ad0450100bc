import { type Page } from 'playwright-core';
import { at, fill, type PageRow, submit, unpictured } from './page-row.js';

const INCIDENTS = '/incidents';
const WINDOWS = '/maintenance';

/** Searches for monitors in an editor and adds the first result. */
export async function addMonitor(page: Page, label: string): Promise<void> {
  await page.getByLabel(label).fill('/');
  await submit(page, 'Search');
  // Until then, the picker shows other monitors.
  await page.locator('input[name=searched][value="/"]').waitFor({ state: 'attached' });
  await page.locator('.picks').getByRole('checkbox').first().check();
  await submit(page, 'Add selected');
  await page.getByText('Added', { exact: true }).waitFor();
}

const FIND = 'Search monitors';

const window =
  (place: number, rest = ''): PageRow['path'] =>
  ({ windows }) =>
    `${WINDOWS}/${windows[place]}${rest}`;

/** Pages of incidents and maintenance. */
export const INCIDENT_ROWS: readonly PageRow[] = [
  { name: 'incidents', route: INCIDENTS, who: 'editor', path: at(INCIDENTS) },
  {
    name: 'incident',
    route: `${INCIDENTS}/:id`,
    who: 'editor',
    path: ({ incidentId }) => `${INCIDENTS}/${incidentId}`,
  },
  {
    name: 'incident-detected',
    route: `${INCIDENTS}/:id`,
    who: 'editor',
    path: ({ detectedId }) => `${INCIDENTS}/${detectedId}`,
  },
  {
    name: 'incident-locations',
    route: `${INCIDENTS}/:id`,
    who: 'viewer',
    path: ({ locatedIncidentId }) => `${INCIDENTS}/${locatedIncidentId}`,
  },
  {
    name: 'incident-drill',
    route: `${INCIDENTS}/:id`,
    who: 'editor',
    path: ({ drillId }) => `${INCIDENTS}/${drillId}`,
  },
  {
    name: 'incident-notifications',
    route: `${INCIDENTS}/:id/notifications`,
    who: 'editor',
    path: ({ detectedId }) => `${INCIDENTS}/${detectedId}/notifications`,
  },
  { name: 'incident-new', route: `${INCIDENTS}/new`, who: 'editor', path: at(`${INCIDENTS}/new`) },
  {
    name: 'incident-edit',
    route: `${INCIDENTS}/:id/edit`,
    who: 'editor',
    path: ({ incidentId }) => `${INCIDENTS}/${incidentId}/edit`,
  },
  { name: 'maintenance', route: WINDOWS, who: 'editor', path: at(WINDOWS) },
  { name: 'window', route: `${WINDOWS}/:id`, who: 'editor', path: window(0) },
  { name: 'window-new', route: `${WINDOWS}/new`, who: 'editor', path: at(`${WINDOWS}/new`) },
  { name: 'window-edit', route: `${WINDOWS}/:id/edit`, who: 'editor', path: window(1, '/edit') },
  { name: 'window-delete', route: `${WINDOWS}/:id/delete`, who: 'editor', path: window(1, '/delete') },
  ...unpictured([
    { name: 'incidents-empty', route: INCIDENTS, who: 'newcomer', path: at(INCIDENTS) },
    { name: 'incidents-found', route: INCIDENTS, who: 'viewer', path: at(`${INCIDENTS}?status=resolved&monitor=/`) },
    {
      name: 'incidents-of-one',
      route: INCIDENTS,
      who: 'viewer',
      path: ({ monitorId }) => `${INCIDENTS}?kind=detected&monitorId=${monitorId}`,
    },
    {
      name: 'incident-viewer',
      route: `${INCIDENTS}/:id`,
      who: 'viewer',
      path: ({ incidentId }) => `${INCIDENTS}/${incidentId}`,
    },
    {
      name: 'incident-resolved',
      route: `${INCIDENTS}/:id`,
      who: 'editor',
      path: ({ resolvedId }) => `${INCIDENTS}/${resolvedId}`,
    },
    {
      name: 'incident-update-refused',
      route: `${INCIDENTS}/:id`,
      who: 'editor',
      path: ({ incidentId }) => `${INCIDENTS}/${incidentId}`,
      act: async (page) => {
        await fill(page, { Message: ' ' });
        await submit(page, 'Post update');
      },
    },
    {
      name: 'incident-chosen',
      route: `${INCIDENTS}/new`,
      who: 'editor',
      path: at(`${INCIDENTS}/new`),
      act: (page) => addMonitor(page, FIND),
    },
    {
      name: 'incident-refused',
      route: `${INCIDENTS}/new`,
      who: 'editor',
      path: at(`${INCIDENTS}/new`),
      act: async (page) => {
        await fill(page, { Title: ' ' });
        await submit(page, 'Report incident');
      },
    },
    {
      name: 'incident-title',
      route: `${INCIDENTS}/:id/edit`,
      who: 'editor',
      path: ({ detectedId }) => `${INCIDENTS}/${detectedId}/edit`,
    },
    { name: 'maintenance-empty', route: WINDOWS, who: 'newcomer', path: at(WINDOWS) },
    { name: 'maintenance-past', route: WINDOWS, who: 'viewer', path: at(`${WINDOWS}?state=over`) },
    { name: 'window-viewer', route: `${WINDOWS}/:id`, who: 'viewer', path: window(1) },
    { name: 'window-by-hand', route: `${WINDOWS}/:id`, who: 'editor', path: window(2) },
    {
      name: 'window-refused',
      route: `${WINDOWS}/new`,
      who: 'editor',
      path: at(`${WINDOWS}/new`),
      act: async (page) => {
        await fill(page, { Name: ' ' });
        await submit(page, 'Schedule maintenance');
      },
    },
  ]),
];
