import { createHash } from 'node:crypto';
import { parsedJson } from '../../domain/parsed-json.js';
import { ProbeFault } from '../net/probe-fault.js';
import { type Answer, SharedAnswers } from '../net/shared-answers.js';
import { Observation } from '../observation.js';
import { PhaseClock } from '../phase-clock.js';
import { type ProbeContext } from '../probe.js';
import { basicAuthorization } from './credentials.js';
import { type HttpReply } from './exchange.js';
import { type HttpOauth2Auth } from './http-auth.dto.js';
import { plainRequest } from './plain-request.js';

/** How long a token is used if the server does not limit it, and how long before its end it is replaced. */
const USUAL_LIFE_S = 300;
const MARGIN_S = 30;
const MAX_TOKENS = 10_000;
const MAX_TOKEN_LENGTH = 16_384;

/** The tokens of this thread, by what they were issued for. Allocated for its maximum, so not before it is needed. */
let tokens: SharedAnswers<string> | null = null;

/**
 * Returns a bearer token for client credentials (RFC 6749, section 4.4), and whether it is one that was issued before.
 * Checks that start together request it once. The time that this takes does not count as the target's. Rejects with a
 * `ProbeFault`, at the latest at the deadline of the check.
 */
export async function accessToken(
  auth: HttpOauth2Auth,
  context: ProbeContext,
): Promise<{ token: string; isUsed: boolean }> {
  tokens ??= new SharedAnswers(MAX_TOKENS);
  const key = keyOf(auth);
  const isUsed = tokens.latest(key) !== undefined;
  const startedAt = performance.now();
  const token = await tokens.getBefore(context.deadline, { key, ask: () => request(auth, context), late });
  context.clock.skip(performance.now() - startedAt);
  return { token, isUsed };
}

/** Forgets a token that a server has refused. */
export function forgetToken(auth: HttpOauth2Auth, token: string): void {
  tokens?.forget(keyOf(auth), token);
}

function keyOf({ tokenUrl, clientId, clientSecret, clientAuth, scope, audience }: HttpOauth2Auth): string {
  const parts = [tokenUrl, clientId, clientSecret, clientAuth ?? '', scope ?? '', audience ?? ''];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64');
}

async function request(auth: HttpOauth2Auth, context: ProbeContext): Promise<Answer<string>> {
  const { tokenUrl, clientId, clientSecret, clientAuth = 'basic', scope, audience } = auth;
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  if (scope != null) form.set('scope', scope);
  if (audience != null) form.set('audience', audience);
  const headers: Record<string, string> = {
    'Content-Type': 'application/x-www-form-urlencoded',
    Accept: 'application/json',
  };
  if (clientAuth === 'basic') {
    headers.Authorization = basicAuthorization(encodeURIComponent(clientId), encodeURIComponent(clientSecret));
  } else {
    form.set('client_id', clientId);
    form.set('client_secret', clientSecret);
  }
  const hop = { url: new URL(tokenUrl), method: 'POST', headers, secretHeaders: [], body: form.toString() };
  // Neither the phases nor the certificate of this server are those of the target.
  const seen = new Observation(new PhaseClock(), []);
  const reply = await plainRequest(hop, seen, { ...context, onCertificate: () => undefined }).catch(
    (error: unknown) => {
      throw error instanceof ProbeFault ? ofTokenEndpoint(error) : error;
    },
  );
  return tokenIn(reply);
}

function late(): ProbeFault {
  return ofTokenEndpoint(new ProbeFault('timeout', 'Waiting for the response timed out.'));
}

function ofTokenEndpoint({ code, message }: ProbeFault): ProbeFault {
  return new ProbeFault(code, `Token endpoint: ${message}`);
}

function tokenIn({ statusCode, body }: HttpReply): Answer<string> {
  if (statusCode !== 200) {
    throw new ProbeFault('authentication_failed', `The token endpoint issued no token (status ${statusCode}).`);
  }
  const { access_token: token, expires_in: lifeS } = (parsedJson(body.toString('utf8')) ?? {}) as Record<
    string,
    unknown
  >;
  const isToken = typeof token === 'string' && /^[\x21-\x7e]+$/.test(token) && token.length <= MAX_TOKEN_LENGTH;
  if (!isToken) throw new ProbeFault('authentication_failed', 'The response of the token endpoint contains no token.');
  const givenS = typeof lifeS === 'number' && lifeS > 0 ? lifeS : USUAL_LIFE_S;
  return { value: token, lifeMs: Math.max(0, givenS - MARGIN_S) * 1_000 };
}
