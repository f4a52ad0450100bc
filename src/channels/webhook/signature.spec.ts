import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { isSigned, newSecret, signatureHeaders } from './signature.js';

const SECRET = newSecret();
const NOW_MS = Date.parse('2026-11-26T12:00:00Z');
const TIMESTAMP = String(NOW_MS / 1_000);
const BODY = '{"type":"mail.bounced"}';
const valid = new Webhook(SECRET).sign('msg_1', new Date(NOW_MS), BODY);

const judge = (
  changes: Record<string, string | undefined> = {},
  { secret = SECRET, body = BODY, nowMs = NOW_MS } = {},
) => isSigned(secret, Buffer.from(body), { id: 'msg_1', timestamp: TIMESTAMP, signature: valid, ...changes }, nowMs);

describe('a signature of Standard Webhooks', () => {
  it('is accepted as the reference implementation makes it, and as this service makes its own', () => {
    expect(judge()).toBe(true);
    const own = signatureHeaders('msg_1', BODY, [SECRET], NOW_MS);
    expect(judge({ signature: own['webhook-signature'] })).toBe(true);
  });

  it.each([`v1,${'A'.repeat(43)}= ${valid}`, `v1a,abc ${valid}`, `${valid} v1,`])(
    'is accepted beside others: %s',
    (signature) => expect(judge({ signature })).toBe(true),
  );

  it.each<[string, Record<string, string | undefined>]>([
    ['no signature', { signature: undefined }],
    ['an empty signature', { signature: '' }],
    ['another version', { signature: valid.replace('v1,', 'v2,') }],
    ['no version', { signature: valid.slice(3) }],
    ['a shortened signature', { signature: valid.slice(0, -5) }],
    ['another id', { id: 'msg_2' }],
    ['no id', { id: undefined }],
    ['another timestamp', { timestamp: String(NOW_MS / 1_000 + 1) }],
    ['no timestamp', { timestamp: undefined }],
    ['a timestamp that is not a number', { timestamp: `${TIMESTAMP}x` }],
  ])('is rejected with %s', (_, changes) => expect(judge(changes)).toBe(false));

  it('is rejected for another body or secret', () => {
    expect(judge({}, { body: `${BODY} ` })).toBe(false);
    expect(judge({}, { secret: newSecret() })).toBe(false);
  });

  it.each([
    [300_000, true],
    [-300_000, true],
    [300_001, false],
    [-300_001, false],
  ])('is, %d ms after it was made, accepted: %s', (ms, accepted) => {
    expect(judge({}, { nowMs: NOW_MS + ms })).toBe(accepted);
  });
});
