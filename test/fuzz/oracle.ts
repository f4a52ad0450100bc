import { judgeCursor } from './cursors.js';
import { type Operation, type Parameter } from './document.js';
import { isReadBack } from './echo.js';
import { headersOf } from './exchange.js';
import { holdsForbidden } from './forbidden.js';
import { DRILL } from './incidents.js';
import { judgePlace } from './places.js';
import { judgePrecondition } from './preconditions.js';
import { refersToOwn } from './references.js';
import { judgeRepetition } from './repetitions.js';
import { maybe, type Outcome, PASSES, refused, type Setting, type Verdict } from './verdict.js';
import { mayDo } from './world.js';

/** Maximum size of the request line and all headers: Node's default. */
const MAX_HEADER_BYTES = 16_384;
/** Public paths that are not in the document. */
const PAGES = /^\/(docs(\/.*)?|status\/_\/[^/]+)?\/?$/i;

/** The hosts of the tested service. Requests for other hosts are rejected. */
const OWN_HOSTS = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/;
const FOR_OPERATORS = /^\/(healthz|readyz|metrics)$/;
/** Operations whose credential is a signature of the body, for which the fuzzer has no secret. */
const SIGNED = /^\/(provider-webhooks|webhooks)\//;

/** Returns every response that the contract allows for a request. The first step that refuses it decides. */
export function allowedOutcomes(setting: Setting): Outcome[] {
  const { operation } = setting.reading;
  const further = [
    credentials,
    scope,
    bodyBytes,
    query,
    judgeRepetition,
    resource,
    judgeCursor,
    judgePrecondition,
    values,
  ];
  const steps = [routing, ...(operation ? further : [])];
  const allowed: Outcome[] = [];
  for (const step of steps) {
    const verdict = step(setting);
    if (verdict.is === 'passes') continue;
    allowed.push(...verdict.outcomes);
    if (verdict.is === 'refused') return allowed;
  }
  return [...allowed, ...(operation ? successes(operation, setting) : [])];
}

function routing({ reading: { operation, methods, path, request } }: Setting): Verdict {
  const size = request.headers.reduce(
    (sum, [name, value]) => sum + name.length + value.length + 4,
    request.target.length,
  );
  if (size > MAX_HEADER_BYTES) return refused(431, 'headers_too_large');
  const [host = 'localhost'] = headersOf(request, 'host');
  if (host !== '' && !OWN_HOSTS.test(host) && !FOR_OPERATORS.test(path)) return refused(421, 'misdirected_request');
  if (operation) return size > MAX_HEADER_BYTES - 500 ? maybe({ status: 431 }) : PASSES;
  if (PAGES.test(path))
    return { is: 'refused', outcomes: [200, 301, 302, 303, 404, 405].map((status) => ({ status })) };
  return methods.length > 0 ? refused(405, 'method_not_allowed') : refused(404, 'not_found');
}

function credentials({ reading, world, number, span }: Setting): Verdict {
  const { operation, credentials: given, body } = reading;
  if (SIGNED.test(operation!.template)) {
    const unread = body.is === 'refused' ? [{ status: body.status, codes: body.codes }] : [];
    return { is: 'refused', outcomes: [...unread, { status: 401, codes: ['unauthenticated'] }] };
  }
  if (operation!.scope === null) return PASSES;
  if (given.is === 'none') return refused(401, 'unauthenticated');
  if (given.is === 'two') return refused(400, 'invalid_request');
  if (given.is !== 'known') return refused(401, 'invalid_token');
  const accepted = world.isSteady(number, given.secret.item) ? world.accepts(given.secret, span) : null;
  if (accepted === null) return maybe({ status: 401, codes: ['invalid_token'] });
  return accepted ? PASSES : refused(401, 'invalid_token');
}

function scope({ reading, world, number }: Setting): Verdict {
  const { operation, credentials: given } = reading;
  if (operation!.scope === null || given.is !== 'known') return PASSES;
  const { item } = given.secret;
  if (!world.isSteady(number, item)) return maybe({ status: 403, codes: ['insufficient_scope'] });
  return mayDo(item, operation!.scope) ? PASSES : refused(403, 'insufficient_scope');
}

function bodyBytes({ reading: { body, operation } }: Setting): Verdict {
  return operation!.scope !== null && body.is === 'refused' ? refused(body.status, ...body.codes) : PASSES;
}

function query({ reading }: Setting): Verdict {
  const { operation } = reading;
  // Whether a page has a history of a month depends on when its monitors had incidents.
  if (operation!.scope === null) return reading.query.has('month') ? maybe({ status: 404 }) : PASSES;
  const bad = [...reading.query].some(([name, values]) => {
    const parameter = operation!.query.find((one) => one.name === name);
    return !parameter || values.some((value) => value.includes('\0')) || !fits(parameter, values);
  });
  if (bad) return refused(400, 'invalid_query');
  // Parameters can contradict each other.
  return reading.query.size > 0 ? maybe({ status: 400, codes: ['invalid_query'] }) : PASSES;
}

/** Returns whether the values of a parameter match the document. */
function fits({ schema }: Parameter, values: readonly string[]): boolean {
  const { type, items, maxItems = Infinity } = schema;
  if (type === 'array') {
    return (
      values.length <= Number(maxItems) && values.every((one) => fits({ name: '', schema: items as never }, [one]))
    );
  }
  const [text = '', ...more] = values;
  if (more.length > 0) return false;
  if (type === 'boolean') return text === 'true' || text === 'false';
  if (type === 'integer') {
    const { minimum = -Infinity, maximum = Infinity } = schema;
    return /^-?(0|[1-9]\d*)$/.test(text) && Number(text) >= Number(minimum) && Number(text) <= Number(maximum);
  }
  const { enum: choices, maxLength = Infinity, minLength = 0, pattern, format } = schema;
  if (String(format).startsWith('date') && Number.isNaN(Date.parse(text))) return false;
  if (Array.isArray(choices) && !choices.includes(text)) return false;
  if (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(text)) return false;
  const length = [...text].length;
  return length >= Number(minLength) && length <= Number(maxLength);
}

function resource(setting: Setting): Verdict {
  const { places } = setting.reading;
  const verdicts = places.map((place, index) => judgePlace(setting, place, index));
  const outcomes = verdicts.flatMap((verdict) => (verdict.is === 'passes' ? [] : verdict.outcomes));
  if (outcomes.length === 0) return PASSES;
  return { is: verdicts.some(({ is }) => is === 'refused') ? 'refused' : 'either', outcomes };
}

/**
 * Judges the values of the body by the document, which must be neither more permissive nor stricter than the service.
 */
function values(setting: Setting): Verdict {
  const { reading, contract } = setting;
  const { operation, body } = reading;
  if (operation!.scope === null || !['POST', 'PUT', 'PATCH'].includes(operation!.method)) return PASSES;
  const value = body.is === 'json' ? body.value : {};
  if (holdsForbidden(value)) return refused(422, 'validation_failed');
  const forbidden = operation!.body
    ? contract.forbids(operation!.method, operation!.template, value).length > 0
    : JSON.stringify(value) !== '{}';
  if (forbidden || refersToOwn(setting, value) === false) return refused(422, 'validation_failed');
  return operation!.body && !isReadBack(setting) ? maybe({ status: 422, codes: ['validation_failed'] }) : PASSES;
}

/** Returns the outcomes that remain possible for a well-formed request whose resources exist. */
function successes({ method, responses, template }: Operation, { reading, world, number }: Setting) {
  const outcomes: Outcome[] = [...responses.keys()].filter((one) => one < 300).map((status) => ({ status }));
  if (template === '/metrics') outcomes.push({ status: 401 });
  if (headersOf(reading.request, 'if-none-match').length > 0 && responses.has(304)) outcomes.push({ status: 304 });
  if (method !== 'GET' && responses.has(409)) outcomes.push({ status: 409 });
  // The limits of all other operations are raised for these runs.
  if (template === DRILL) outcomes.push({ status: 422, codes: ['limit_reached'] });
  if (responses.get(403)?.codes.includes('forbidden')) outcomes.push({ status: 403, codes: ['forbidden'] });
  const { credentials: given } = reading;
  const ownKeyMayGo = given.is === 'known' && !world.isSteady(number, given.secret.item);
  if (template.includes('/api-keys') && ownKeyMayGo) outcomes.push({ status: 401, codes: ['invalid_token'] });
  return outcomes;
}
