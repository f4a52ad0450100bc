import { HOUR_MS } from '../../../src/domain/durations.js';
import { type Target } from '../../support/target.js';
import { type Content, type MonitorContent, type Trouble } from './content.js';
import { RUN_MARKER } from './visit.js';

const run = (value: number): string => `window.${RUN_MARKER}=${value}`;

/** Reverses the direction of the following text. */
export const BIDI_OVERRIDE = '\u202e';

/** Texts that have an effect if a page does not treat them as plain text. Each fits into a tag of 50 characters. */
export const PAYLOADS: readonly string[] = [
  `<script>${run(1)}</script>`,
  `"><img src=x onerror=${run(2)}>`,
  `javascript:${run(3)}`,
  `<svg/onload=${run(4)}>`,
  `'onfocus=${run(5)} autofocus='`,
  '</style><style>body{display:none}</style>',
  'x;background:url(/css-payload)',
  `\${${run(6)}}{{${run(7)}}}`,
  `</title></textarea><script>${run(8)}</script>`,
  `<a href="javascript:${run(9)}">x</a>`,
  `<iframe src="javascript:parent.${RUN_MARKER}=10">`,
  '&lt;b&gt;&#60;script&#62;',
  `${BIDI_OVERRIDE}gnp.exe`,
];

/** Returns a text with several payloads, after a label, so that a page that omits the text is detected. */
function mixed(what: string, room = 200): string {
  const words = `${what}: `;
  return PAYLOADS.reduce((text, one) => (text.length + one.length < room ? `${text}${one} ` : text), words).trim();
}

const HEADER = 'x-hostile';
const headerOf = (at: number): string => `${HEADER}-${at}`;
const inHeader = (text: string): string => encodeURI(text).replace(/%2[02]|%3[CE]/g, decodeURIComponent);
const PATH = '/monitors?q=%22%3E%3Cscript%3E';

/** Makes a target respond with payloads in headers, body and image. */
export function answerHostilely(target: Target): void {
  target.behave(PATH, (response) => {
    const headers = PAYLOADS.map((payload, at) => [headerOf(at), inHeader(payload)] as const);
    response.writeHead(200, { 'content-type': 'text/html', ...Object.fromEntries(headers) });
    response.end(PAYLOADS.join('\n'));
  });
  target.behave('/logo.svg', (response) => {
    response.writeHead(200, { 'content-type': 'image/svg+xml' });
    response.end(`<svg xmlns="http://www.w3.org/2000/svg" onload="${run(11)}"><script>${run(12)}</script></svg>`);
  });
}

/** The header values as a page shows them: as JSON, like all actual values of failed assertions. */
export const FOUND: readonly string[] = PAYLOADS.map((payload) => JSON.stringify(inHeader(payload)));

/** Returns a definition with payloads in every field. */
function definitionOf(target: Target, key: string, name: string) {
  return {
    key,
    name,
    type: 'http',
    url: target.url(PATH),
    description: mixed(`description of ${key}`, 2_000),
    metadata: { note: name },
    assertions: PAYLOADS.map((payload, at) => ({
      source: 'header',
      property: headerOf(at),
      comparison: 'equals',
      target: `not ${payload}`,
    })),
  };
}

/** Returns an outage of one hour that started this many hours ago. */
function failing(hoursAgo: number, message: string): Trouble {
  return { hoursAgo, hours: 1, status: 'down', code: 'protocol_error', message };
}

/** Returns the monitor that most pages show. Each of its hourly checks failed with a different message. */
function firstMonitor(target: Target): MonitorContent {
  return {
    definition: { ...definitionOf(target, 'm0', mixed('name')), tags: [...PAYLOADS] },
    usualMs: 20,
    days: 2,
    troubles: PAYLOADS.map((payload, at) => failing(at + 1, `check ${at}: ${payload}`)),
  };
}

/** Returns a monitor as it is checked from these locations. */
function seenFrom(locations: readonly { key: string }[], monitor: MonitorContent): MonitorContent {
  const keys = locations.map(({ key }) => key);
  return {
    ...monitor,
    definition: { ...monitor.definition, locations: keys },
    seenFrom: Object.fromEntries(keys.map((key) => [key, { factor: 1, troubles: monitor.troubles }])),
  };
}

/** Returns content in which every text is a payload. */
export function hostileContent(target: Target): Content {
  const others = PAYLOADS.map((payload, at): MonitorContent => ({
    definition: {
      ...definitionOf(target, `m${at + 1}`, payload),
      tags: [payload],
      ...(at === 5 && { parentIds: ['key:m0', 'key:m1'], expiresAt: '2099-01-01T00:00:00.000Z' }),
    },
    usualMs: 20,
    days: 2,
    troubles: [failing(0.1, `check of ${payload}`)],
    ...(at === 5 && { pausedFor: mixed('reason of the pause') }),
  }));
  const locations = PAYLOADS.slice(0, 3).map((name, at) => ({ key: `l${at}`, name: `location ${at}: ${name}` }));
  const monitors = [firstMonitor(target), seenFrom(locations, others[0]!), ...others.slice(1)];
  const keys = monitors.map(({ definition }) => definition.key);
  const ids = keys.map((key) => `key:${key}`);
  const at = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString();
  return {
    teamName: mixed('team'),
    userAgent: mixed('browser'),
    keyName: mixed('key'),
    channelName: mixed('channel'),
    policyName: mixed('policy'),
    silence: { tags: [...PAYLOADS], reason: mixed('reason of the silence') },
    deliveryError: mixed('delivery error'),
    invitee: mixed('guest'),
    acknowledgement: mixed('acknowledged'),
    pastTitle: mixed('past title'),
    locations,
    monitors,
    people: { owner: mixed('owner'), editor: PAYLOADS[1]!, viewer: PAYLOADS[3]! },
    incident: {
      title: mixed('title'),
      monitorKeys: keys,
      updates: PAYLOADS.map((text, n) => ({ phase: 'identified', text: `update ${n}: ${text}`, public: true })),
    },
    windows: [
      {
        key: 'w0',
        name: mixed('window'),
        description: mixed('description of the window', 2_000),
        startsAt: at(-1),
        endsAt: at(1),
        monitorIds: ids,
        tags: [...PAYLOADS],
        public: true,
      },
      ...PAYLOADS.map((name, n) => ({
        key: `w${n + 1}`,
        name,
        description: name,
        startsAt: at(5),
        endsAt: at(6),
        tags: [name],
        public: true,
      })),
    ],
    exclusion: { monitorKeys: keys.slice(0, 3), reason: mixed('reason of the exclusion') },
    statusPage: {
      key: 'page',
      slug: 'hostile',
      logoUrl: target.url('/logo.svg'),
      name: mixed('page', 100),
      description: mixed('description of the page', 2_000),
      homepageUrl: `https://example.com/?q="><script>${run(13)}</script>`,
      components: PAYLOADS.map((payload, n) => ({
        monitorId: ids[n + 1],
        name: `component ${n}: ${payload}`,
        description: `about ${n}: ${payload}`,
        group: n < 9 ? `group ${n}: ${payload}` : null,
      })),
    },
  };
}

/** Returns what Markdown shows for a text without other markup. */
function withoutEntities(text: string): string {
  return text.replaceAll(/&(?:lt|#60);/g, '<').replaceAll(/&(?:gt|#62);/g, '>');
}

/** Returns every text of the content that must appear unchanged on a page. */
export function writtenTexts({
  people,
  invitee,
  incident,
  windows,
  statusPage,
  monitors,
  locations = [],
  ...content
}: Content): string[] {
  const { teamName, keyName, channelName, policyName, silence, deliveryError, acknowledgement, pastTitle } = content;
  const texts = monitors.flatMap(({ definition, pausedFor, troubles }) => [
    definition.name,
    definition.description,
    pausedFor,
    ...(definition.tags as string[]),
    ...troubles.map(({ message }) => message),
  ]);
  const components = statusPage.components as Record<'name' | 'description' | 'group', string | null>[];
  return [
    teamName,
    keyName,
    channelName,
    policyName,
    silence.reason,
    deliveryError,
    acknowledgement,
    pastTitle,
    invitee,
    ...Object.values(people),
    ...locations.map(({ name }) => name),
    incident.title,
    ...incident.updates.map(({ text }) => withoutEntities(text)),
    ...windows.flatMap(({ name, description }) => [name, description]),
    statusPage.name,
    statusPage.description,
    ...components.flatMap(({ name, description, group }) => [name, description, group]),
    ...texts,
  ].filter((text): text is string => typeof text === 'string');
}
