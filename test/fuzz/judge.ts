import { type Contract } from '../support/openapi.js';
import { type FuzzAnswer, headersOf, type FuzzRequest } from './exchange.js';
import { echoFaults, readBackFaults } from './echo.js';
import { MARKUP, Marks, type TeamName } from './marks.js';
import { allowedOutcomes } from './oracle.js';
import { repetitionFaults } from './repetitions.js';
import { type Setting } from './verdict.js';
import { type Json } from './world.js';

/** A rule that a response violates, and how. */
export interface Fault {
  rule: string;
  detail: string;
}

/** Headers defined by the API. The document must describe each one that is sent. */
export const OUR_HEADERS = [
  'location',
  'link',
  'etag',
  'retry-after',
  'allow',
  'www-authenticate',
  'idempotent-replayed',
  'ratelimit',
  'ratelimit-policy',
];
/** Headers that any response to a valid key may have, whatever the operation. */
const ANYWHERE: ReadonlySet<string> = new Set(['ratelimit', 'ratelimit-policy']);
const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

type Rule = (setting: Setting, answer: FuzzAnswer) => string[];

const RULES: Readonly<Record<string, Rule>> = {
  'server error': (_, { status, text }) => (status >= 500 ? [`${status} ${text.slice(0, 300)}`] : []),
  'unexpected outcome': unexpected,
  'not as documented': undocumented,
  'undocumented header': undocumentedHeaders,
  problem: problemFaults,
  'request id': requestIdFaults,
  leak: leaks,
  'API key revealed': shownKeys,
  'missing header': missingHeaders,
  list: listFaults,
  repetition: repetitionFaults,
  'differs from the request': echoFaults,
  'differs from the definition written back': readBackFaults,
  markup: (_, { headers, text }) =>
    /^text\/html/.test(headers['content-type'] ?? '') && text.includes(MARKUP) ? ['a text was not escaped'] : [],
};

/** Returns every violation of a rule by a response. */
export function judge(setting: Setting, answer: FuzzAnswer): Fault[] {
  return Object.entries(RULES).flatMap(([rule, find]) => find(setting, answer).map((detail) => ({ rule, detail })));
}

function unexpected(setting: Setting, { status, body }: FuzzAnswer): string[] {
  if (status >= 500) return [];
  const allowed = allowedOutcomes(setting);
  const code = (body as Json | null)?.code;
  // Without a body there is no code to compare.
  const fits = (codes: readonly string[] | undefined) =>
    codes === undefined || typeof code !== 'string' || codes.includes(code);
  if (allowed.some((one) => one.status === status && fits(one.codes))) return [];
  const wanted = allowed.map((one) => `${one.status}${one.codes ? ` ${one.codes.join('|')}` : ''}`);
  return [`${status} ${typeof code === 'string' ? code : ''} instead of ${[...new Set(wanted)].join(', ')}`];
}

function undocumented({ reading, contract }: Setting, answer: FuzzAnswer): string[] {
  const { request, places } = reading;
  const { headers, body } = answer;
  if (request.method === 'HEAD' || (answer.status === 304 && body === null)) return [];
  if (!reading.operation && answer.status < 400) return [];
  // A request that Node's parser rejects belongs to no operation, like an unknown path.
  const operation = answer.status === 431 ? null : reading.operation;
  const status = answer.status === 431 ? 404 : answer.status;
  const path = operation ? filled(operation.template, places.length) : '/undocumented';
  const query = operation?.scope === null ? '' : `?${request.target.split('?')[1] ?? ''}`;
  return documented(contract, {
    method: operation?.method ?? request.method,
    path: path + query,
    status,
    body,
    sent: reading.body.is === 'json' && operation?.body ? reading.body.value : undefined,
    sentType: (headersOf(request, 'content-type')[0] ?? '').split(';')[0]!.trim().toLowerCase(),
    contentType: headers['content-type'] ?? null,
  });
}

function filled(template: string, count: number): string {
  return count === 0 ? template : template.replace(/\{\w+\}/g, 'x');
}

function documented(contract: Contract, exchange: Parameters<Contract['check']>[0]): string[] {
  try {
    contract.check(exchange);
    return [];
  } catch (error) {
    return [String((error as Error).message).slice(0, 1_500)];
  }
}

function undocumentedHeaders({ reading: { operation } }: Setting, { status, headers }: FuzzAnswer): string[] {
  const documented = operation?.responses.get(status)?.headers;
  if (!documented) return [];
  const strays = OUR_HEADERS.filter((name) => name in headers && !ANYWHERE.has(name) && !documented.has(name));
  return strays.map((name) => `${name} in a ${status}`);
}

function missingHeaders({ reading: { operation } }: Setting, { status, headers }: FuzzAnswer): string[] {
  const wanted: Record<number, string> = { 405: 'allow', 429: 'retry-after', 503: 'retry-after' };
  const name = status === 401 || (status === 403 && operation) ? '' : wanted[status];
  if (name && !(name in headers)) return [`${name} in a ${status}`];
  if (status === 401 && !('www-authenticate' in headers)) return ['www-authenticate in a 401'];
  return status === 201 && !('location' in headers) ? ['location in a 201'] : [];
}

function problemFaults({ reading }: Setting, { status, headers, body }: FuzzAnswer): string[] {
  if (!(headers['content-type'] ?? '').startsWith('application/problem+json') || body === null) return [];
  const problem = body as Json;
  const faults: string[] = [];
  if (problem.status !== status) faults.push(`status ${String(problem.status)} in a ${status}`);
  if (problem.requestId !== headers['x-request-id']) faults.push('requestId differs from the header');
  // Node's parser rejects the request before its path is known.
  if (status !== 431 && unescaped(String(problem.instance)) !== unescaped(reading.path))
    faults.push(`instance ${String(problem.instance)} for ${reading.path}`);
  if (!String(problem.type).endsWith(`#${String(problem.code)}`)) faults.push(`type ${String(problem.type)}`);
  if (status === 404 && reading.operation && problem.detail !== 'There is no such resource.')
    faults.push('the detail of a 404 differs from others');
  const errors = (problem.errors ?? []) as Json[];
  const member = { validation_failed: 'pointer', invalid_query: 'parameter' }[String(problem.code)];
  if (member && (errors.length === 0 || !errors.every((one) => typeof one[member] === 'string'))) {
    faults.push(`not every error has a ${member}`);
  }
  return faults;
}

function requestIdFaults({ reading: { request } }: Setting, { headers, status }: FuzzAnswer): string[] {
  const shown = headers['x-request-id'] ?? '';
  if (!REQUEST_ID.test(shown)) return [`X-Request-Id: ${shown}`];
  const [given, ...more] = headersOf(request, 'x-request-id');
  const taken = given !== undefined && more.length === 0 && REQUEST_ID.test(given);
  return taken && status !== 431 && shown !== given ? [`${given} became ${shown}`] : [];
}

function unescaped(path: string): string {
  return path.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Returns the team that receives the response: that of the key, even if it is no longer valid; null for the public. */
function viewerOf({ reading: { credentials, operation } }: Setting): TeamName | null {
  return operation?.scope === null || credentials.is !== 'known' ? null : credentials.secret.item.team;
}

function leaks(setting: Setting, { text, headers, status }: FuzzAnswer): string[] {
  const viewer = status === 401 ? null : viewerOf(setting);
  const { request } = setting.reading;
  const shown = `${text}\n${JSON.stringify(headers)}`;
  return setting.world.marks.leaks(shown, viewer, () => textOf(request));
}

function textOf({ target, headers, body }: FuzzRequest): string {
  return [target, decodeURIComponent(target.replace(/%(?![0-9a-f]{2})/gi, '%25').replace(/%[89a-f]./gi, '')), headers]
    .map((one) => JSON.stringify(one))
    .concat(body?.toString() ?? '')
    .join('\n');
}

/** Returns the API keys in a response that is not the creation or rotation of that key. */
function shownKeys({ reading, world }: Setting, { text, body, status, headers }: FuzzAnswer): string[] {
  const found = Marks.apiKeysIn(`${text}${JSON.stringify(headers)}`);
  if (found.length === 0) return [];
  const secret = (body as Json | null)?.secret;
  const makes = reading.operation?.method === 'POST' && reading.operation.template.includes('/api-keys');
  const isNew = makes && status < 300 && !world.marks.secrets.has(String(secret));
  const strays = found.filter((one) => !(isNew && one === secret) && !reading.request.target.includes(one));
  if (isNew && !/no-store/.test(headers['cache-control'] ?? '')) return ['without Cache-Control: no-store'];
  return strays.map((one) => `${one.slice(0, 11)}…`);
}

function listFaults({ reading, world, number, span }: Setting, { status, headers, body }: FuzzAnswer): string[] {
  const page = body as { data?: Json[]; nextCursor?: string | null } | null;
  if (status !== 200 || !Array.isArray(page?.data) || reading.credentials.is !== 'known') return [];
  const { team } = reading.credentials.secret.item;
  const faults: string[] = [];
  const limit = Number(reading.query.get('limit')?.[0] ?? 50);
  if (page.data.length > limit) faults.push(`${page.data.length} rows with limit ${limit}`);
  const next = page.nextCursor ?? null;
  if ((headers.link !== undefined) !== (next !== null)) faults.push('Link and nextCursor disagree');
  if (next !== null && !(headers.link ?? '').includes(encodeURIComponent(next))) faults.push('Link has another cursor');
  for (const { id } of page.data) {
    const item = world.items.get(String(id));
    if (!item) continue;
    if (item.team !== team) faults.push(`${String(id)} belongs to ${item.team}`);
    const staysListed = /\/(api-keys|exclusions)$/.test(item.kind);
    if (!staysListed && world.lifeOf(item, span) === 'gone' && world.isSteady(number, item)) {
      faults.push(`${String(id)} has been deleted`);
    }
  }
  return faults;
}
