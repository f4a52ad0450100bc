import { HOUR_MS } from '../../../src/domain/durations.js';
import { type Content, type MonitorContent } from './content.js';

/** Returns an HTTP monitor of the shop; `more` contains further members of its definition, and its troubles. */
function http(
  key: string,
  name: string,
  url: string,
  more: { tags: string[]; definition?: object } & Partial<Omit<MonitorContent, 'definition'>>,
): MonitorContent {
  const { tags, definition, ...past } = more;
  return {
    definition: { key, name, type: 'http', url, tags, ...definition },
    usualMs: 120,
    troubles: [],
    days: 120,
    ...past,
  };
}

const REFUSED = { code: 'connect_refused', message: 'The connection was refused.' } as const;
const UNEXPECTED = { code: 'unexpected_status', message: 'Unexpected status 503 (expected 2xx).' } as const;
const TIMEOUT = { code: 'timeout', message: 'No whole answer came within 10 seconds.' } as const;

const MONITORS: readonly MonitorContent[] = [
  http('checkout-api', 'Checkout API', 'https://api.example.com/checkout/health', {
    tags: ['production', 'payments'],
    definition: { description: 'Answers for the payment pages.' },
    troubles: [
      { hoursAgo: 0.2, hours: 1, status: 'down', ...UNEXPECTED },
      { hoursAgo: 530, hours: 0.5, status: 'down', ...TIMEOUT },
      { hoursAgo: 1_490, hours: 3, status: 'down', ...REFUSED },
    ],
  }),
  http('search', 'Search', 'https://search.example.com/health', {
    tags: ['production'],
    usualMs: 240,
    definition: { degradedAfterMs: 500 },
    troubles: [
      { hoursAgo: 2, hours: 3, status: 'degraded' },
      { hoursAgo: 200, hours: 5, status: 'degraded' },
    ],
  }),
  http('shop', 'Shop', 'https://www.example.com/', {
    tags: ['production', 'public'],
    usualMs: 90,
    troubles: [{ hoursAgo: 900, hours: 1, status: 'down', ...TIMEOUT }],
  }),
  http('login', 'Sign-in', 'https://login.example.com/health', {
    tags: ['production', 'public'],
    usualMs: 60,
    definition: { locations: ['eu-west', 'us-east', 'ap-northeast'] },
    seenFrom: {
      'eu-west': { factor: 1, troubles: [{ hoursAgo: 20, hours: 6, status: 'down', ...TIMEOUT }] },
      'us-east': { factor: 2.2, troubles: [{ hoursAgo: 19.5, hours: 5, status: 'down', ...TIMEOUT }] },
      'ap-northeast': { factor: 4, troubles: [{ hoursAgo: 2.4, hours: 3, status: 'down', ...TIMEOUT }] },
    },
    days: 40,
  }),
  {
    definition: {
      key: 'mail',
      name: 'Mail server',
      type: 'tcp',
      host: 'mail.example.com',
      port: 587,
      tags: ['internal'],
    },
    usualMs: 12,
    days: 120,
    troubles: [],
  },
  {
    definition: {
      key: 'dns',
      name: 'Names of example.com',
      type: 'dns',
      host: 'example.com',
      settings: { recordType: 'A' },
      tags: ['internal'],
    },
    usualMs: 8,
    days: 40,
    troubles: [],
  },
  {
    definition: {
      key: 'certificate',
      name: 'Certificate of the shop',
      type: 'tls',
      host: 'www.example.com',
      port: 443,
    },
    usualMs: 45,
    days: 120,
    troubles: [],
  },
  http('reports', 'Reports', 'https://reports.example.com/health', {
    tags: ['internal'],
    pausedFor: 'Being moved to the new cluster',
  }),
  http('warehouse', 'Warehouse', 'https://warehouse.example.com/health', { tags: ['internal'] }),
  http('preview', 'Preview of pull request 1284', 'https://pr-1284.example.com/', { tags: ['preview'], days: 0 }),
];

/** Returns realistic sample data of a small shop, with times around `nowMs`. */
export function demoContent(nowMs: number): Content {
  const at = (hours: number): string => new Date(nowMs + hours * HOUR_MS).toISOString();
  return {
    teamName: 'Example Shop',
    people: { owner: 'Ada Moreno', editor: 'Ben Okafor', viewer: 'Chiara Lund' },
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    keyName: 'GitHub Actions',
    channelName: 'Operations',
    policyName: 'Production',
    silence: { tags: ['internal'], reason: 'The office moves to another provider today.' },
    deliveryError: 'The receiver responded with status 503.',
    invitee: 'dana@example.com',
    locations: [
      { key: 'eu-west', name: 'Amsterdam' },
      { key: 'us-east', name: 'Virginia' },
      { key: 'ap-northeast', name: 'Tokyo' },
    ],
    monitors: MONITORS,
    acknowledgement: 'Looking at the payment provider.',
    incident: {
      title: 'Search answers slowly',
      monitorKeys: ['search'],
      updates: [
        { phase: 'investigating', text: 'Searches take longer than usual. We are looking into it.', public: true },
        {
          phase: 'note',
          text: 'Index 4 is being rebuilt, see https://wiki.example.com/search and `rebuild --status`.',
          public: false,
        },
        {
          phase: 'identified',
          text: 'An **index is being rebuilt**. Until it is complete:\n\n- searches take up to 8 seconds\n- new products appear late',
          public: true,
        },
      ],
    },
    pastTitle: 'Orders could not be paid by card',
    windows: [
      {
        key: 'move',
        name: 'Warehouse moves to the new database',
        startsAt: at(-0.5),
        endsAt: at(2),
        monitorIds: ['key:warehouse'],
        public: true,
        description: 'Orders are taken meanwhile.',
      },
      {
        key: 'weekly',
        name: 'Weekly updates',
        startsAt: at(30),
        endsAt: at(32),
        timezone: 'Europe/Berlin',
        rrule: 'FREQ=WEEKLY',
        tags: ['internal'],
      },
      { key: 'by-hand', name: 'Started by the deploy pipeline', tags: ['production'] },
    ],
    exclusion: { monitorKeys: ['mail'], reason: 'Power cut at the office, agreed with the customer.' },
    statusPage: {
      key: 'shop',
      name: 'Example Shop status',
      slug: 'example-shop',
      description: 'The state of our shop and its services.',
      homepageUrl: 'https://www.example.com/',
      // As a text colour it is too pale for light pages and too dark for dark ones.
      accentColor: '#0c8599',
      showLocations: true,
      components: [
        { monitorId: 'key:shop', name: 'Shop', group: 'Storefront' },
        { monitorId: 'key:search', name: 'Search', group: 'Storefront' },
        { monitorId: 'key:login', name: 'Sign-in', group: 'Storefront' },
        { monitorId: 'key:checkout-api', name: 'Checkout', group: 'Orders', description: 'Carts and payments' },
        { monitorId: 'key:warehouse', name: 'Deliveries', group: 'Orders' },
        { monitorId: 'key:mail', name: 'Mail' },
      ],
    },
  };
}
