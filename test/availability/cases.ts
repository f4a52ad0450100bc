import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';

/** The means of an attacker who has an API key. */
export interface Attacker {
  origin: string;
  /** Sends a request with exactly these bytes as its body. Resolves with the status. */
  send: (method: string, path: string, body?: string | Buffer, headers?: Record<string, string>) => Promise<number>;
  /** The origin of the hostile target. */
  target: string;
  /** Returns a number that no other call returns. */
  unique: () => number;
}

/** One attack that must not slow down other teams. It is repeated by several callers at once. */
export type Case = (attacker: Attacker) => Promise<unknown>;

const JSON_TYPE = { 'content-type': 'application/json' };
/** The headers of a form submitted from a page of the service. */
const formFrom = (origin: string) => ({ 'content-type': 'application/x-www-form-urlencoded', origin });
const KIB_200 = 200 * 1_024;
const filled = (piece: string, length = KIB_200): string => piece.repeat(Math.floor(length / piece.length));

function body(path: string, members: string, method = 'POST'): Case {
  return (attacker) => attacker.send(method, path, `{${members}}`, JSON_TYPE);
}

/** Imports subscribers of a page that the first call creates. */
function importing(csv: string): Case {
  return async ({ send }) => {
    await send('POST', '/v1/status-pages', '{"key":"hostile-import","name":"p","slug":"hostile-import"}', JSON_TYPE);
    const body = JSON.stringify({ consentSource: 'x', csv });
    return send('POST', '/v1/status-pages/key:hostile-import/subscribers/import', body, JSON_TYPE);
  };
}

/** Returns a text through which patterns of many states reach most of them. */
const irregular = (length: number): string => [...randomBytes(length)].map((byte) => 'ab'[byte & 1]).join('');

/** Reports a job, and a log in between, because the same kind of report is accepted only ten times in ten seconds. */
function reporting(failWhenBodyMatches: string, output: string): Case {
  const token = 'h'.repeat(32);
  const settings = { schedule: { everySeconds: 86_400 }, failWhenBodyMatches };
  const monitor = JSON.stringify({ name: 'hostile', type: 'heartbeat', settings, token });
  return async ({ send }) => {
    await send('PUT', '/v1/monitors/key:hostile-job', monitor, JSON_TYPE);
    await send('POST', `/ping/${token}/log`);
    return send('POST', `/ping/${token}`, output);
  };
}

const YEAR = 'from=2025-12-01&to=2026-11-01';
const MONITOR = '"name":"hostile","type":"http","url":"https://example.com/"';
const WINDOW =
  '"name":"hostile","startsAt":"2026-12-01T00:00:00Z","endsAt":"2026-12-01T01:00:00Z","timezone":"Europe/Berlin","tags":["x"]';

function trial(path: string, assertion: object, count = 20): Case {
  return ({ send, target }) => {
    const assertions = Array.from({ length: count }, () => assertion);
    const monitor = { name: 'hostile', type: 'http', url: `${target}${path}`, timeoutMs: 10_000, assertions };
    return send('POST', '/v1/monitors/test', JSON.stringify(monitor), JSON_TYPE);
  };
}

/** Creates a monitor that is checked every second, and does not delete it. */
function watched(path: string, assertion?: object): Case {
  return ({ send, target }) => {
    const assertions = assertion ? Array.from({ length: 20 }, () => assertion) : [];
    const monitor = { name: 'hostile', type: 'http', url: `${target}${path}`, intervalSeconds: 1, timeoutMs: 1_000 };
    return send('POST', '/v1/monitors', JSON.stringify({ ...monitor, assertions }), JSON_TYPE);
  };
}

/** Like `watched`, for a monitor of a WebSocket. */
function listening(path: string): Case {
  return ({ send, target }) => {
    const url = `${target.replace('http', 'ws')}${path}`;
    const settings = { expect: 'never seen' };
    const monitor = { name: 'hostile', type: 'websocket', url, settings, intervalSeconds: 1, timeoutMs: 1_000 };
    return send('POST', '/v1/monitors', JSON.stringify(monitor), JSON_TYPE);
  };
}

const SAME_LISTS = { source: 'jsonBody', property: '$.a[?$.a==$.b]', comparison: 'exists' };
const EVERY_NODE = { source: 'jsonBody', property: '$..[?@..[?@..x]]', comparison: 'exists' };
const SEARCHED = { source: 'jsonBody', property: "$..[?search(@, '(a|b)*c')]", comparison: 'exists' };
const MANY_STATES = { source: 'textBody', comparison: 'matches', target: 'a.{120}[c-z]' };
/** Case-insensitive ranges over most of Unicode, which are slow to compile. */
const WIDE_RANGES = `(?i)${'[a-\\x{10FFFF}]'.repeat(30)}`;
const DIGITS = { source: 'textBody', comparison: 'greaterThan', target: 1 };
const BODY_READ = { source: 'textBody', comparison: 'contains', target: 'x' };

/** Requests with one key. The first of each kind was found by an attack; the others are variants of it. */
export const REQUESTS: Record<string, Case> = {
  'trial: lists compared for each element': trial('/lists', SAME_LISTS),
  'trial: every node of every node': trial('/nested', EVERY_NODE),
  'trial: a search in every node': trial('/nested', SEARCHED),
  'trial: a pattern of many states': trial('/ab', MANY_STATES),
  'trial: a number of a million digits': trial('/digits', DIGITS),
  'trial: a header of spaces': trial('/blanks', BODY_READ),

  'body: 60,000 empty assertions': body('/v1/monitors', `${MONITOR},"assertions":[${filled('{},')}{}]`),
  'body: 60,000 empty assertions, gzipped': ({ send }) =>
    send('POST', '/v1/monitors', gzipSync(`{${MONITOR},"assertions":[${filled('{},')}{}]}`), {
      ...JSON_TYPE,
      'content-encoding': 'gzip',
    }),
  'body: 20 patterns that are slow to compile': body(
    '/v1/monitors',
    `${MONITOR},"assertions":${JSON.stringify(Array(20).fill({ ...MANY_STATES, target: WIDE_RANGES }))}`,
  ),
  'body: 20 paths with patterns that are slow to compile': body(
    '/v1/monitors',
    `${MONITOR},"assertions":${JSON.stringify(
      Array(20).fill({
        source: 'jsonBody',
        property: `$[?search(@, '${WIDE_RANGES.replaceAll('\\', '\\\\')}')]`,
        comparison: 'exists',
      }),
    )}`,
  ),
  'body: 15,000 unknown members': ({ send }) => {
    const members = Array.from({ length: 15_000 }, (_, at) => `"m${at}":0`).join(',');
    return send('POST', '/v1/monitors', `{${MONITOR},${members}}`, JSON_TYPE);
  },
  'body: 15,000 headers': ({ send }) => {
    const members = Array.from({ length: 15_000 }, (_, at) => `"m${at}":"0"`).join(',');
    return send('POST', '/v1/monitors', `{${MONITOR},"headers":{${members}}}`, JSON_TYPE);
  },
  'body: 200,000 nested lists': body('/v1/monitors', `${MONITOR},"tags":${filled('[')}`),
  'body: nested objects': body(
    '/v1/monitors',
    `${MONITOR},"metadata":${filled('{"a":', 190_000)}0${filled('}', 38_000)}`,
  ),
  'body: 60,000 components': body('/v1/status-pages', `"name":"p","slug":"hostile","components":[${filled('{},')}{}]`),
  'body: 60,000 scopes': body('/v1/api-keys', `"name":"k","scopes":[${filled('"",')}""]`),
  'body: one string of 200 KiB in every field': ({ send }) => {
    const text = filled('a@b.', 40_000);
    const fields = ['name', 'url', 'type', 'key', 'description'].map((name) => `"${name}":"${text}"`).join(',');
    return send('POST', '/v1/monitors', `{${fields}}`, JSON_TYPE);
  },
  'body: numbers of 100,000 digits': body(
    '/v1/monitors',
    `${MONITOR},"intervalSeconds":${filled('9', 100_000)},"timeoutMs":1e${filled('9', 90_000)}`,
  ),
  'body: a nested patch': ({ send }) =>
    send('PATCH', '/v1/monitors/key:none', `{"headers":${filled('{"a":', 50_000)}0${filled('}', 10_000)}}`, {
      'content-type': 'application/merge-patch+json',
    }),
  'import: 80,000 lines': importing('a\n'.repeat(80_000)),
  'import: 10,000 addresses': importing(Array.from({ length: 10_000 }, (_, at) => `${at}@example.com`).join('\n')),

  'form: 50,000 fields': ({ send, origin }) => send('POST', '/sign-in', filled('a=1&'), formFrom(origin)),
  'form: only escapes': ({ send, origin }) => send('POST', '/sign-in', `email=${filled('%25')}`, formFrom(origin)),

  'pattern: nested repetitions': body(
    '/v1/monitors',
    `${MONITOR},"assertions":[{"source":"textBody","comparison":"matches","target":"((((((a{9}){9}){9}){9}){9}){9})"}]`,
  ),
  'pattern: classes of most characters': body(
    '/v1/monitors',
    `${MONITOR},"assertions":[${Array(50)
      .fill(`{"source":"textBody","comparison":"matches","target":"(?i)${'[\\\\p{L}\\\\p{N}]'.repeat(20)}"}`)
      .join(',')}]`,
  ),
  'path: nested brackets': body(
    '/v1/monitors',
    `${MONITOR},"assertions":[${Array(50)
      .fill(`{"source":"jsonBody","comparison":"exists","property":"$${'[?@'.repeat(80)}${']'.repeat(80)}"}`)
      .join(',')}]`,
  ),

  'report: a pattern of many states': reporting(MANY_STATES.target, irregular(10_000)),

  'recurrence: 10,000 daily occurrences in January only': body(
    '/v1/maintenance-windows',
    `${WINDOW},"rrule":"FREQ=DAILY;COUNT=10000;BYMONTH=1"`,
  ),
  'recurrence: never': body('/v1/maintenance-windows', `${WINDOW},"rrule":"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"`),
  'recurrence: on leap days': body(
    '/v1/maintenance-windows',
    `${WINDOW},"rrule":"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO;INTERVAL=3"`,
  ),
  'recurrence: every day and position': body(
    '/v1/maintenance-windows',
    `${WINDOW},"rrule":"FREQ=MONTHLY;BYMONTHDAY=${Array.from({ length: 31 }, (_, at) => at + 1).join(',')};BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=${Array.from({ length: 31 }, (_, at) => at + 1).join(',')}"`,
  ),

  'documents: YAML': ({ send }) => send('GET', '/docs/openapi.yaml'),
  'documents: JSON': ({ send }) => send('GET', '/docs/openapi.json', undefined, { 'accept-encoding': 'br' }),
  'documents: the explorer': ({ send }) => send('GET', '/docs/swagger-ui-init.js'),

  'reports: a year of every monitor': ({ send }) => send('GET', `/v1/reports/sla?${YEAR}`),
  'reports: a year of every monitor, as CSV': ({ send }) =>
    send('GET', `/v1/reports/sla?${YEAR}`, undefined, { accept: 'text/csv', 'accept-encoding': 'br' }),
  'reports: the overview': ({ send }) => send('GET', '/v1/overview'),
  'reports: every definition': ({ send }) => send('GET', '/v1/definitions/monitors?limit=200'),

  'passwords: new status pages': ({ send, unique }) =>
    send(
      'POST',
      '/v1/status-pages',
      `{"name":"p","slug":"hostile-${unique()}","accessType":"password","password":"${'x'.repeat(100)}"}`,
      JSON_TYPE,
    ),
  'passwords: a status page with a taken slug': body(
    '/v1/status-pages',
    `"name":"p","slug":"hostile-taken","accessType":"password","password":"${'x'.repeat(100)}"`,
  ),
  'passwords: sign-ins': ({ send, origin }) =>
    send('POST', '/sign-in', 'email=a%40example.com&password=wrong', formFrom(origin)),

  'headers: 2,000 cookies': ({ send }) => send('GET', '/v1/monitors', undefined, { cookie: 'a=b; '.repeat(2_000) }),
  'headers: a list of entity tags': ({ send }) =>
    send('GET', '/v1/monitors/key:none', undefined, { 'if-none-match': '"x", '.repeat(2_500) }),
  'headers: languages and content codings': ({ send }) =>
    send('GET', '/docs/openapi.json', undefined, {
      'accept-encoding': 'a;q=0.5,'.repeat(1_500),
      'accept-language': 'a,'.repeat(2_000),
    }),
  'query: a search for wildcards': ({ send }) => send('GET', `/v1/monitors?q=${'%25'.repeat(60)}`),
  'query: 2,000 tags': ({ send }) => send('GET', `/v1/monitors?${'tag=x&'.repeat(2_000)}`),
};

/** Responses of a hostile target to the checks of a team. */
export const TARGETS: Record<string, Case> = {
  'target: lists compared for each element': watched('/lists', SAME_LISTS),
  'target: every node of every node': watched('/nested', EVERY_NODE),
  'target: a pattern of many states': watched('/ab', MANY_STATES),
  'target: a number of a million digits': watched('/digits', DIGITS),
  'target: a document of nested lists': watched('/deep', { ...SAME_LISTS, property: '$[0]' }),
  'target: half a million scalars': watched('/many-scalars', {
    ...SAME_LISTS,
    property: '$[*]',
    comparison: 'equals',
    target: 1,
  }),
  'target: a header of spaces': watched('/blanks'),
  'target: a header of 16,000 lines': watched('/folds'),
  'target: 16,000 headers': watched('/fields'),
  'target: interim responses without an end': watched('/interim'),
  'target: chunks of one byte': watched('/one-byte-chunks', BODY_READ),
  'target: chunks with long extensions': watched('/extensions', BODY_READ),
  'target: chunks that arrive slowly': watched('/slow-chunks', BODY_READ),
  'target: a body without an end': watched('/endless', BODY_READ),
  'target: a body without its last byte': watched('/kept', BODY_READ),
  'target: a gzip bomb': watched('/bomb', BODY_READ),
  'target: a head sent byte by byte': watched('/letters'),
  'target: countless pings': listening('/pings'),
  'target: countless empty messages': listening('/messages'),
};
