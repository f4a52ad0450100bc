import { createHmac, timingSafeEqual } from 'node:crypto';
import { textAt } from '../net/http-client.js';
import { cut, oneLine } from '../plain-text.js';

/** What a responder did at PagerDuty with one of its incidents. */
export interface PagerdutyAction {
  type: 'acknowledge' | 'unacknowledge';
  /** The deduplication key of the alert that opened the incident. */
  alertKey: string;
  occurredAtMs: number;
  /** The name of the responder, or of what acted for them; null if it is not given. */
  agent: string | null;
}

const ACTIONS: ReadonlyMap<string, PagerdutyAction['type']> = new Map([
  ['incident.acknowledged', 'acknowledge'],
  ['incident.unacknowledged', 'unacknowledge'],
]);
const SIGNATURE = /^v1=([\da-f]{64})$/i;
const MAX_AGENT = 100;

/**
 * Returns whether one of the signatures in the header `X-PagerDuty-Signature` is that of the body. There are several
 * while a secret is being replaced.
 * @see https://developer.pagerduty.com/docs/verifying-webhook-signatures
 */
export function isSignedByPagerduty(secret: string, body: Buffer, header: string): boolean {
  const expected = createHmac('sha256', secret).update(body).digest();
  return header.split(',').some((one) => {
    const hex = SIGNATURE.exec(one.trim())?.[1];
    return hex !== undefined && timingSafeEqual(Buffer.from(hex, 'hex'), expected);
  });
}

/**
 * Returns what a webhook of version 3 reports; null for events that change nothing here, such as a resolution, and for
 * incidents that no alert opened.
 * @see https://developer.pagerduty.com/docs/webhooks-overview
 */
export function pagerdutyActionOf(body: unknown): PagerdutyAction | null {
  const type = ACTIONS.get(textAt(body, 'event', 'event_type') ?? '');
  const alertKey = textAt(body, 'event', 'data', 'incident_key');
  const occurredAtMs = Date.parse(textAt(body, 'event', 'occurred_at') ?? '');
  if (type === undefined || alertKey === null || Number.isNaN(occurredAtMs)) return null;
  const agent = textAt(body, 'event', 'agent', 'summary');
  return { type, alertKey, occurredAtMs, agent: cut(oneLine(agent ?? ''), MAX_AGENT, undefined, '') || null };
}
