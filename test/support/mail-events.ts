import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

/** The `MAIL_EVENTS_SECRET` of tests. */
export const MAIL_EVENTS_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
export const MAIL_EVENTS = '/webhooks/mail-events';

interface Signing {
  id?: string;
  at?: Date;
  secret?: string;
}

/** Returns the headers of a body that a mail provider signed. */
export function signedHeaders(
  body: string,
  { id = `msg_${randomUUID()}`, at = new Date(), secret = MAIL_EVENTS_SECRET }: Signing = {},
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  };
}

/** Sends a webhook as a mail provider does. */
export function sendMailEvent(origin: string, body: unknown, signing?: Signing): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return fetch(origin + MAIL_EVENTS, { method: 'POST', headers: signedHeaders(text, signing), body: text });
}
