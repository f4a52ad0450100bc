import { addMonitor } from './incident-rows.js';
import { at, fill, type PageRow, submit, unpictured } from './page-row.js';

const LIST = '/status-pages';
const ONE = `${LIST}/:id`;
const PUBLIC = '/status/:slug';

const one =
  (rest = ''): PageRow['path'] =>
  ({ statusPageId }) =>
    `${LIST}/${statusPageId}${rest}`;

/** Pages for editing status pages, and the public status pages. */
export const STATUS_PAGE_ROWS: readonly PageRow[] = [
  { name: 'status-pages', route: LIST, who: 'editor', path: at(LIST) },
  { name: 'pages-published', route: '/status', who: 'viewer', path: at('/status') },
  { name: 'page', route: ONE, who: 'editor', path: one() },
  { name: 'page-new', route: `${LIST}/new`, who: 'editor', path: at(`${LIST}/new`) },
  { name: 'page-edit', route: `${ONE}/edit`, who: 'editor', path: one('/edit') },
  { name: 'page-delete', route: `${ONE}/delete`, who: 'editor', path: one('/delete') },
  { name: 'page-subscribers', route: `${ONE}/subscribers`, who: 'owner', path: one('/subscribers') },
  { name: 'status-page', route: PUBLIC, who: 'guest', path: ({ content }) => `/status/${content.statusPage.slug}` },
  ...unpictured([
    { name: 'status-pages-empty', route: LIST, who: 'newcomer', path: at(LIST) },
    { name: 'page-unpublish', route: `${ONE}/unpublish`, who: 'editor', path: one('/unpublish') },
    { name: 'page-subscriber', route: `${ONE}/subscribers/new`, who: 'owner', path: one('/subscribers/new') },
    { name: 'page-import', route: `${ONE}/subscribers/import`, who: 'owner', path: one('/subscribers/import') },
    {
      name: 'page-imported',
      route: `${ONE}/subscribers/import`,
      who: 'owner',
      path: one('/subscribers/import'),
      act: async (page) => {
        await fill(page, { 'Source of consent': 'Contract', Addresses: 'kim@example.com\nkim' });
        await submit(page, 'Import');
      },
    },
    {
      name: 'status-page-subscribe',
      route: `${PUBLIC}/subscriptions`,
      who: 'guest',
      path: ({ content }) => `/status/${content.statusPage.slug}/subscriptions`,
    },
    {
      name: 'subscription',
      route: '/status/_/subscriptions/:token/preferences',
      who: 'guest',
      path: ({ subscription }) => `${subscription}/preferences`,
    },
    {
      name: 'unsubscribe',
      route: '/status/_/subscriptions/:token/unsubscribe',
      who: 'guest',
      path: ({ subscription }) => `${subscription}/unsubscribe`,
    },
    {
      name: 'subscription-none',
      route: '/status/_/subscriptions/:token/preferences',
      who: 'guest',
      path: at(`/status/_/subscriptions/${'x'.repeat(43)}/preferences`),
    },
    {
      name: 'unsubscribe-none',
      route: '/status/_/subscriptions/:token/unsubscribe',
      who: 'guest',
      path: at(`/status/_/subscriptions/${'x'.repeat(43)}/unsubscribe`),
    },
    { name: 'page-viewer', route: ONE, who: 'viewer', path: one() },
    { name: 'page-draft', route: ONE, who: 'editor', path: ({ draftId }) => `${LIST}/${draftId}?done=made` },
    {
      name: 'page-chosen',
      route: `${LIST}/new`,
      who: 'editor',
      path: at(`${LIST}/new`),
      act: (page) => addMonitor(page, 'Search monitors to add'),
    },
    {
      name: 'page-refused',
      route: `${LIST}/new`,
      who: 'editor',
      path: at(`${LIST}/new`),
      act: async (page) => {
        await fill(page, { Name: ' ', Slug: 'Our shop' });
        await submit(page, 'Save draft');
      },
    },
    { name: 'page-preview', route: `${ONE}/preview`, who: 'viewer', path: one('/preview') },
    {
      name: 'status-page-incident',
      route: `${PUBLIC}/incidents/:id`,
      who: 'guest',
      path: ({ content, incidentId }) => `/status/${content.statusPage.slug}/incidents/${incidentId}`,
    },
    {
      name: 'status-page-history',
      route: `${PUBLIC}/history`,
      who: 'guest',
      path: ({ content }) => `/status/${content.statusPage.slug}/history`,
    },
    { name: 'status-page-none', route: PUBLIC, who: 'guest', path: at('/status/none') },
  ]),
];
