import { PROBES } from '../../../../src/probes/index.js';
import { type World } from '../world.js';
import { at, fill, type PageRow, submit, unpictured } from './page-row.js';

const OVERVIEW = '/';
const LIST = '/monitors';
const NEW = '/monitors/new';
const ONE = '/monitors/:id';
const EXCLUSIONS = `${ONE}/exclusions`;

const one =
  (rest = ''): PageRow['path'] =>
  ({ monitorId }: World) =>
    `/monitors/${monitorId}${rest}`;

const excluded =
  (rest: (world: World) => string = () => ''): PageRow['path'] =>
  (world: World) =>
    `/monitors/${world.excludedId}/exclusions${rest(world)}`;

/** The list of monitors, and the pages of one monitor. */
export const MONITOR_ROWS: readonly PageRow[] = [
  { name: 'overview', route: OVERVIEW, who: 'owner', path: at(OVERVIEW) },
  { name: 'overview-empty', route: OVERVIEW, who: 'newcomer', path: at(OVERVIEW) },
  { name: 'wall', route: '/wall', who: 'viewer', path: at('/wall') },
  { name: 'monitors', route: LIST, who: 'owner', path: at(LIST) },
  {
    name: 'monitors-selected',
    route: LIST,
    who: 'editor',
    path: at(LIST),
    act: async (page) => {
      for (const at of [0, 1, 2]) await page.locator('input[name=id]').nth(at).check();
    },
  },
  {
    name: 'operation',
    route: '/operations/:id',
    who: 'editor',
    path: at(LIST),
    act: async (page) => {
      await page.locator('input[name=id]').first().check();
      await fill(page, { Tags: 'a tag that none has' });
      await submit(page, 'Remove tags');
      await page.waitForURL(/operation=/);
      const { origin, searchParams } = new URL(page.url());
      await page.goto(`${origin}/operations/${searchParams.get('operation')}`);
    },
  },
  { name: 'monitor-new', route: NEW, who: 'editor', path: at(NEW) },
  {
    name: 'monitor-refused',
    route: NEW,
    who: 'editor',
    path: at(NEW),
    act: async (page) => {
      await page.getByLabel('Check every', { exact: true }).selectOption('custom');
      await fill(page, { Name: ' ', URL: 'shop.example.com', 'Check every, in seconds': '0' });
      await submit(page, 'Create monitor');
    },
  },
  {
    name: 'monitor-tested',
    route: NEW,
    who: 'editor',
    path: at(NEW),
    act: async (page) => {
      // Nothing listens on this port.
      await fill(page, { Name: 'Shop', URL: 'http://127.0.0.1:9/' });
      await submit(page, 'Test now');
    },
  },
  {
    name: 'monitor-assertions',
    route: NEW,
    who: 'editor',
    path: at(`${NEW}?name=Shop`),
    act: async (page) => {
      await page.locator('summary', { hasText: 'Success criteria' }).click();
      const add = page.getByRole('button', { name: 'Add assertion' });
      if (await add.isVisible()) await add.click();
      await page.getByLabel('Assertion 1: source').selectOption('jsonBody');
      await fill(page, { 'Assertion 1: property': '$.status', 'Assertion 1: value': 'ok' });
      await page.getByLabel('Timeout', { exact: true }).selectOption('custom');
      await page.locator('summary', { hasText: 'Authentication' }).click();
      await page.getByLabel('Authentication', { exact: true }).selectOption('basic');
    },
  },
  {
    name: 'monitor-sequence',
    route: NEW,
    who: 'editor',
    path: at(`${NEW}?type=sequence&name=Orders`),
    act: async (page) => {
      await fill(page, { 'Name of step 1': 'Sign in', 'URL of step 1': 'https://shop.example.com/token' });
      await page.getByLabel('Method of step 1').selectOption('POST');
      await page.locator('details', { hasText: 'Values and other settings' }).locator('summary').click();
      await fill(page, { 'Values for later steps of step 1': 'token = jsonBody $.access_token' });
      await submit(page, 'Add step');
      await page.locator('[name="s1.url"]').waitFor();
      await fill(page, {
        'Name of step 2': 'List orders',
        'URL of step 2': 'https://shop.example.com/orders?token={{token}}',
      });
      await page.locator('details', { hasText: 'Success criteria' }).nth(1).locator('summary').click();
      const add = page.getByRole('button', { name: 'Add assertion' });
      if (await add.isVisible()) await add.click();
      await page.getByLabel('Assertion 1 of step 2: source').selectOption('jsonBody');
    },
  },
  {
    name: 'monitor-copy',
    route: NEW,
    who: 'editor',
    path: ({ monitorId }) => `${NEW}?from=${monitorId}`,
  },
  { name: 'monitor', route: ONE, who: 'owner', path: one() },
  {
    name: 'monitor-forecast',
    route: ONE,
    who: 'owner',
    path: one('?event=down&at=2030-01-06T03:00&zone=Europe/Berlin'),
  },
  { name: 'monitor-edit', route: `${ONE}/edit`, who: 'editor', path: one('/edit') },
  { name: 'monitor-drill', route: `${ONE}/drill`, who: 'editor', path: one('/drill') },
  { name: 'monitor-pause', route: `${ONE}/pause`, who: 'editor', path: one('/pause') },
  { name: 'monitor-delete', route: `${ONE}/delete`, who: 'editor', path: one('/delete') },
  { name: 'exclusions', route: EXCLUSIONS, who: 'editor', path: excluded() },
  { name: 'exclusion-new', route: `${EXCLUSIONS}/new`, who: 'editor', path: excluded(() => '/new') },
  {
    name: 'exclusion-delete',
    route: `${EXCLUSIONS}/:exclusionId/delete`,
    who: 'editor',
    path: excluded(({ exclusionId }) => `/${exclusionId}/delete`),
  },
  { name: 'checks', route: `${ONE}/checks`, who: 'viewer', path: one('/checks') },
  {
    name: 'check',
    route: `${ONE}/checks/:checkId`,
    who: 'viewer',
    path: ({ monitorId, checkId }) => `/monitors/${monitorId}/checks/${checkId}`,
  },
  { name: 'monitor-locations', route: ONE, who: 'viewer', path: ({ locatedId }) => `/monitors/${locatedId}?range=7d` },
  { name: 'response-times', route: `${ONE}/response-times`, who: 'viewer', path: one('/response-times?range=7d') },
  ...unpictured([
    { name: 'overview-viewer', route: OVERVIEW, who: 'viewer', path: at(OVERVIEW) },
    { name: 'monitors-empty', route: LIST, who: 'newcomer', path: at(LIST) },
    { name: 'monitors-viewer', route: LIST, who: 'viewer', path: at(LIST) },
    { name: 'monitors-filtered', route: LIST, who: 'editor', path: at(`${LIST}?status=down&status=paused&sort=name`) },
    { name: 'monitors-none-fits', route: LIST, who: 'editor', path: at(`${LIST}?q=nothing-is-called-so&type=dns`) },
    ...PROBES.map(({ type }) => ({
      name: `monitor-new-${type}`,
      route: NEW,
      who: 'editor' as const,
      path: at(`${NEW}?type=${type}`),
    })),
    { name: 'monitor-viewer', route: ONE, who: 'viewer', path: one('?range=30d') },
    { name: 'monitor-paused', route: ONE, who: 'editor', path: ({ pausedId }) => `/monitors/${pausedId}?done=paused` },
    { name: 'monitor-youngest', route: ONE, who: 'editor', path: ({ youngestId }) => `/monitors/${youngestId}` },
    { name: 'monitor-excluded', route: ONE, who: 'editor', path: ({ excludedId }) => `/monitors/${excludedId}` },
    { name: 'exclusions-viewer', route: EXCLUSIONS, who: 'viewer', path: excluded() },
    {
      name: 'exclusions-none',
      route: EXCLUSIONS,
      who: 'viewer',
      path: ({ youngestId }) => `/monitors/${youngestId}/exclusions`,
    },
    {
      name: 'exclusion-refused',
      route: `${EXCLUSIONS}/new`,
      who: 'editor',
      path: excluded(() => '/new'),
      act: async (page) => {
        await fill(page, {
          From: '2026-01-06T02:30',
          To: '2026-01-06T02:00',
          'Time zone': 'Europe/Berlin',
          Reason: 'Load test',
        });
        await submit(page, 'Exclude time');
      },
    },
    {
      name: 'monitor-edit-parents',
      route: `${ONE}/edit`,
      who: 'editor',
      path: ({ pausedId }) => `/monitors/${pausedId}/edit`,
      act: async (page) => {
        await page.locator('summary', { hasText: 'Dependencies' }).click();
        await page.locator('summary', { hasText: 'Add monitors' }).click();
      },
    },
    { name: 'monitor-none', route: ONE, who: 'editor', path: at('/monitors/none') },
    {
      name: 'monitor-edit-refused',
      route: `${ONE}/edit`,
      who: 'editor',
      path: one('/edit'),
      act: async (page) => {
        await page.getByLabel('Check every', { exact: true }).selectOption('custom');
        await fill(page, { 'Check every, in seconds': '0' });
        await submit(page, 'Save');
      },
    },
    { name: 'checks-failed', route: `${ONE}/checks`, who: 'viewer', path: one('/checks?status=down') },
    {
      name: 'response-times-none',
      route: `${ONE}/response-times`,
      who: 'viewer',
      path: ({ youngestId }) => `/monitors/${youngestId}/response-times`,
    },
  ]),
];
