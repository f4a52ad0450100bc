import { DAY_MS } from '../../domain/durations.js';
import { parsedJson } from '../../domain/parsed-json.js';
import { type HttpReply } from '../http/exchange.js';
import { plainRequest } from '../http/plain-request.js';
import { nextHop, type Hop } from '../http/redirect.js';
import { parseUrl } from '../net/parse-url.js';
import { ProbeFault } from '../net/probe-fault.js';
import { type Answer, SharedAnswers } from '../net/shared-answers.js';
import { type Observation } from '../observation.js';
import { type ProbeContext } from '../probe.js';
import { isDomain, serverFor } from './registration.js';

const MAX_REDIRECTS = 5;
/** How long IANA's list is used; it changes every few weeks. */
const LIST_LASTS_MS = DAY_MS;
/** A process has one; tests have more. */
const MAX_LISTS = 10;

/** A response, whatever its status. */
export interface RdapReply {
  statusCode: number;
  /** As received, at most 1 MiB. */
  text: string;
  json: unknown;
}

/** The lists that this thread has loaded, by their addresses. */
const lists = new SharedAnswers<unknown>(MAX_LISTS);

/**
 * Returns the RDAP server for a domain. @throws ProbeFault `checker_error` if the list of servers cannot be loaded or has
 * none for the domain, which proves nothing about the domain
 */
export async function findServer(domain: string, seen: Observation, context: ProbeContext): Promise<string> {
  const { rdapBootstrapUrl } = context.egress;
  const list = await lists
    .getBefore(context.deadline, {
      key: rdapBootstrapUrl,
      ask: () => loadList(rdapBootstrapUrl, seen, context),
      late: () => new ProbeFault('timeout', 'Waiting for the response timed out.'),
    })
    .catch((error: unknown) => {
      throw inconclusive('The list of RDAP servers could not be loaded', error);
    });
  const server = serverFor(domain, list);
  if (server !== null) return server;
  throw new ProbeFault('checker_error', 'No RDAP server is known for this top-level domain; set settings.server.');
}

async function loadList(address: string, seen: Observation, context: ProbeContext): Promise<Answer<unknown>> {
  const { statusCode, json } = await get(address, seen, context);
  if (statusCode === 200 && json !== undefined) return { value: json, lifeMs: LIST_LASTS_MS };
  throw new ProbeFault('checker_error', 'The list of RDAP servers is not available.');
}

/** Asks a server about a domain. @throws ProbeFault `checker_error` if its response is not about a domain */
export async function ask(
  server: string,
  domain: string,
  seen: Observation,
  context: ProbeContext,
): Promise<RdapReply> {
  const url = `${server.replace(/\/?$/, '/')}domain/${domain}`;
  const reply = await get(url, seen, context).catch((error: unknown) => {
    throw inconclusive('The RDAP server did not respond', error);
  });
  const isAnswer = reply.statusCode === 404 || (reply.statusCode === 200 && isDomain(reply.json));
  if (isAnswer) return reply;
  throw new ProbeFault('checker_error', `The RDAP server returned no usable response (status ${reply.statusCode}).`);
}

/** Sends a request, and follows redirects: registries refer to registrars with them. */
async function get(address: string, seen: Observation, context: ProbeContext): Promise<RdapReply> {
  let hop: Hop = {
    url: new URL(address),
    method: 'GET',
    headers: { Accept: 'application/rdap+json, application/json' },
    secretHeaders: [],
    body: null,
  };
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const reply = await plainRequest(hop, seen, context);
    const next = nextHop(hop, reply.statusCode, reply.headers.location?.[0]);
    if (next === null) return replyOf(reply);
    if (next === 'unusable') break;
    hop = next;
  }
  throw new ProbeFault('too_many_redirects', 'The RDAP server redirects too often, or to an unusable address.');
}

function replyOf({ statusCode, body }: HttpReply): RdapReply {
  const text = body.toString('utf8');
  return { statusCode, text, json: parsedJson(text) };
}

/** Returns the fault of a check that could not find out anything about the domain. */
function inconclusive(what: string, error: unknown): unknown {
  if (!(error instanceof ProbeFault) || error.code === 'network_unavailable' || error.code === 'checker_error')
    return error;
  return new ProbeFault('checker_error', `${what} (${error.code}), so the check is inconclusive.`);
}

/** Returns what is wrong with the address of a server, or `null`. Values of other types pass. */
export function serverProblem(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const url = /^https?:\/\/[^/\\?#@\s]+(?:\/[^?#\s]*)?$/i.test(value) ? parseUrl(value) : null;
  return url === null ? 'must be an absolute http or https URL without query and user information' : null;
}
