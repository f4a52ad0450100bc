import { type CheckError, type ProbeOutcome } from '../../domain/check-result.js';
import { ProbeFault } from '../net/probe-fault.js';
import { Observation } from '../observation.js';
import { type ProbeContext } from '../probe.js';
import { checkError, judgeAssertions } from '../verdict.js';
import { bodyText } from './content.js';
import { type ConnectionOptions, openConnection } from './connection.js';
import { CookieJar } from './cookie-jar.js';
import { type ExchangeProgress, type HttpReply } from './exchange.js';
import { isExpectedStatus } from './expected-status.js';
import { type HttpFields } from './http-fields.dto.js';
import { identityOf, proxyOf } from './http-settings.js';
import { nextHop, type Hop } from './redirect.js';
import { accessToken, forgetToken } from './oauth-token.js';
import { firstHop } from './request.js';
import { sendRequest } from './send.js';

const UNAUTHORIZED = 401;

/** Fields with their defaults applied. */
export type HttpDefinition = HttpFields & Required<Omit<HttpFields, 'url'>>;

/** The outcome of a request and, unless it failed before, the final response. */
export interface HttpResult {
  outcome: ProbeOutcome;
  reply: HttpReply | null;
  /** The body as text, if it was kept. */
  text: string | null;
}

interface RequestOptions {
  /** The cookies to send; receives those of the responses. */
  cookies?: CookieJar;
  /** Keeps the body of the final response, even if no assertion needs it. */
  keepsBody?: boolean;
}

/** Runs one HTTP check: follows redirects to the final response, then evaluates that response. */
export async function checkHttp(definition: HttpDefinition, context: ProbeContext): Promise<ProbeOutcome> {
  return (await runRequest(definition, context)).outcome;
}

/** Runs one request of a check, and evaluates the final response. */
export async function runRequest(
  definition: HttpDefinition,
  context: ProbeContext,
  options: RequestOptions = {},
): Promise<HttpResult> {
  const journey = new Journey(definition, context, options);
  const { clock } = context;
  let error: CheckError | null;
  let reply: HttpReply | null = null;
  let text: string | null = null;
  let responseTimeMs: number | null = null;
  let failed: ProbeOutcome['failedAssertions'] = [];
  try {
    reply = await answered(definition, journey, context);
    responseTimeMs = clock.elapsedMs();
    const { assertions, expectedStatusCodes, secretHeaders } = definition;
    const { statusCode, headers, bodyBytes } = reply;
    if (journey.keepsBody) text = await bodyText(reply);
    const facts = {
      statusCode,
      responseTimeMs,
      headers,
      body: text,
      responseBodySize: bodyBytes,
      ...journey.seen.facts,
    };
    ({ failed, error } = judgeAssertions(assertions, facts, context.evaluate, secretHeaders));
    if (!isExpectedStatus(statusCode, expectedStatusCodes)) {
      error = checkError('unexpected_status', unexpectedStatus(statusCode, expectedStatusCodes));
    }
  } catch (fault) {
    if (!(fault instanceof ProbeFault)) throw fault;
    error = checkError(fault.code, fault.message);
  }
  const { statusCode, remoteAddress } = journey.seen;
  const { timings } = clock;
  const outcome = { statusCode, responseTimeMs, timings, remoteAddress, error, failedAssertions: failed };
  return { outcome, reply, text };
}

/** Returns the final response. A token that the target does not accept any more is replaced once. */
async function answered(definition: HttpDefinition, journey: Journey, context: ProbeContext): Promise<HttpReply> {
  const { auth } = definition;
  if (!auth || !('tokenUrl' in auth)) return journey.run(firstHop(definition));
  const { token, isUsed } = await accessToken(auth, context);
  const reply = await journey.run(firstHop(definition, token));
  if (reply.statusCode !== UNAUTHORIZED) return reply;
  forgetToken(auth, token);
  return isUsed ? journey.run(firstHop(definition, (await accessToken(auth, context)).token)) : reply;
}

/** The number of expected codes, classes and ranges that a message names. */
const MAX_NAMED_STATUSES = 5;

/** Returns a message such as `Unexpected status 503 (expected 2xx, 301).` */
function unexpectedStatus(statusCode: number, expected: HttpDefinition['expectedStatusCodes']): string {
  const more = expected.length > MAX_NAMED_STATUSES ? ', …' : '';
  return `Unexpected status ${statusCode} (expected ${expected.slice(0, MAX_NAMED_STATUSES).join(', ')}${more}).`;
}

/** The requests of one check, and what was observed of them, even if one fails. */
class Journey {
  readonly seen: Observation;
  /** Whether the body of the final response is needed. */
  readonly keepsBody: boolean;
  private readonly cookies: CookieJar;
  private readonly connection: ConnectionOptions;

  constructor(
    private readonly definition: HttpDefinition,
    private readonly context: ProbeContext,
    { cookies = new CookieJar(), keepsBody = false }: RequestOptions,
  ) {
    this.cookies = cookies;
    this.seen = new Observation(context.clock, definition.assertions);
    this.keepsBody = keepsBody || this.seen.asks('textBody', 'jsonBody');
    this.connection = connectionOf(definition);
  }

  async run(first: Hop): Promise<HttpReply> {
    const { followRedirects, maxRedirects } = this.definition;
    let hop = first;
    for (let redirects = 0; ; redirects += 1) {
      const reply = await this.request(hop);
      const next = followRedirects ? nextHop(hop, reply.statusCode, reply.headers.location?.[0]) : null;
      if (next === null) return reply;
      if (next === 'unusable')
        throw new ProbeFault('protocol_error', 'The response redirects to a URL that is neither http nor https.');
      if (redirects === maxRedirects)
        throw new ProbeFault('too_many_redirects', `Too many redirects (more than ${maxRedirects}).`);
      hop = next;
    }
  }

  /** Sends one request on a new connection. Does not read the body of a redirect that will be followed. */
  private async request(hop: Hop): Promise<HttpReply> {
    const request = this.withCookies(hop);
    const progress: ExchangeProgress = {
      keepsBody: this.keepsBody,
      onFirstByte: () => this.context.clock.lap('firstByteMs'),
      onHead: ({ statusCode, headers }) => {
        this.seen.statusCode = statusCode;
        this.cookies.take(hop.url, headers['set-cookie']);
        return !this.definition.followRedirects || nextHop(hop, statusCode, headers.location?.[0]) === null;
      },
    };
    const socket = await openConnection(hop.url, this.connectionFor(hop.url), this.seen, this.context);
    const { deadline } = this.context;
    const { proxy = null } = this.connection;
    const reply = await sendRequest(socket, request, progress, { deadline, proxy });
    this.context.clock.lap('transferMs');
    return reply;
  }

  /** Returns how to connect for a request. The certificate is only for the host that the definition names. */
  private connectionFor(url: URL): ConnectionOptions {
    const { identity } = this.connection;
    return identity && url.origin !== new URL(this.definition.url).origin
      ? { ...this.connection, identity: null }
      : this.connection;
  }

  /** Returns a request with the cookies that earlier responses have set, unless the definition has its own. */
  private withCookies(hop: Hop): Hop {
    const cookie = this.cookies.headerFor(hop.url);
    if (cookie === null || Object.keys(hop.headers).some((name) => /^cookie$/i.test(name))) return hop;
    return { ...hop, headers: { ...hop.headers, Cookie: cookie } };
  }
}

function connectionOf({ verifyTls, settings }: HttpDefinition): ConnectionOptions {
  if (!settings) return { verifyTls };
  const { http2 = false, ipVersion = null } = settings;
  return { verifyTls, http2, ipVersion, identity: identityOf(settings), proxy: proxyOf(settings) };
}
