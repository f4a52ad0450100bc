import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { validateSync } from 'class-validator';
import { plainToInstance } from 'class-transformer';
import { MARKUP, MESSAGES, messageOf, monitorOf, sendBy } from '../../test/support/channel-messages.js';
import { type Received, type Reply, useReceiver } from '../../test/support/receiver.js';
import { webhookChannel, WebhookFields } from './webhook.channel.js';
import { newSecret } from './webhook/signature.js';

const receiver = useReceiver();
const SECRET = newSecret();
const fieldsOf = (changes: Partial<WebhookFields> = {}): WebhookFields => ({
  url: `${receiver.origin}/hook?a=b`,
  secret: SECRET,
  ...changes,
});

interface Payload {
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}

/** Verifies the last request with the reference implementation. */
function verified(secret: string): Payload {
  const { text, headers } = receiver.requests.at(-1)!;
  return new Webhook(secret).verify(text, headers as Record<string, string>) as Payload;
}

/** Answers as a receiver that follows the standard does: with success only to what is signed. */
function program(received: Received): Reply {
  try {
    new Webhook(SECRET).verify(received.text, received.headers as Record<string, string>);
    return { status: 204 };
  } catch {
    return { status: 401 };
  }
}

describe('the channel webhook', () => {
  it.each(Object.entries(MESSAGES))('sends a signed message: %s', async (_, message) => {
    receiver.answer(program);
    const delivery = await sendBy(webhookChannel, fieldsOf(), message);
    expect(delivery).toEqual({ status: 'sent', providerId: null, statusCode: 204 });
    expect(receiver.only.headers).toMatchObject({ 'webhook-id': message.id, 'content-type': 'application/json' });
  });

  it('sends all facts', async () => {
    const name = MARKUP.replace('\u202e', '');
    await sendBy(webhookChannel, fieldsOf(), messageOf({ monitors: [monitorOf({ name })] }));
    const { id, alertKey, links } = messageOf();
    expect(verified(SECRET)).toEqual({
      type: 'down.trigger',
      timestamp: '2026-01-15T15:59:00.000Z',
      data: {
        id,
        alertKey,
        kind: 'trigger',
        event: 'down',
        impact: 'down',
        test: false,
        drill: false,
        team: 'Shop',
        topic: null,
        subject: expect.stringContaining('DOWN '),
        reason: messageOf().reason,
        startedAt: '2026-01-15T15:58:00.000Z',
        resolvedAt: null,
        durationSeconds: null,
        expiresAt: null,
        location: 'default',
        monitors: [monitorOf({ name })],
        moreMonitors: 0,
        moreRecovered: 0,
        isWidespread: false,
        isStorm: false,
        incident: messageOf().incident,
        links,
        note: null,
      },
    });
  });

  it('sends its own headers, which cannot replace those of the signature', async () => {
    const headers = { Authorization: 'Bearer s3cr3t', 'X-Team': 'shop' };
    await sendBy(webhookChannel, fieldsOf({ headers }));
    expect(receiver.only.headers).toMatchObject({ authorization: 'Bearer s3cr3t', 'x-team': 'shop' });
    for (const name of ['Webhook-Signature', 'webhook-id', 'Content-Type', 'Host', 'Content-Length']) {
      const errors = validateSync(plainToInstance(WebhookFields, fieldsOf({ headers: { [name]: 'x' } })));
      expect(errors.map(({ property }) => property)).toEqual(['headers']);
    }
  });

  it('signs with both secrets until a rotation is complete', async () => {
    const until = new Date(Date.now() + 86_400_000);
    const rotated = webhookChannel.rotate!(fieldsOf(), until);
    expect(rotated.secret).not.toBe(SECRET);
    await sendBy(webhookChannel, rotated);
    expect(verified(rotated.secret!).type).toBe('down.trigger');
    expect(verified(SECRET).type).toBe('down.trigger');

    await sendBy(webhookChannel, { ...rotated, previousSecretUntil: new Date(Date.now() - 1_000).toISOString() });
    expect(verified(rotated.secret!).type).toBe('down.trigger');
    expect(() => verified(SECRET)).toThrow('No matching signature found');
  });

  it('has the same id in each attempt', async () => {
    receiver.answer({ status: 500 });
    await sendBy(webhookChannel, fieldsOf());
    await sendBy(webhookChannel, fieldsOf());
    expect(receiver.requests.map(({ headers }) => headers['webhook-id'])).toEqual([messageOf().id, messageOf().id]);
  });

  it.each([
    ['whsec_', ['secret']],
    [`whsec_${Buffer.alloc(23).toString('base64')}`, ['secret']],
    [`whsec_${Buffer.alloc(24).toString('base64')}`, []],
    [`whsec_${Buffer.alloc(64).toString('base64')}`, []],
    [`whsec_${Buffer.alloc(65).toString('base64')}`, ['secret']],
    [Buffer.alloc(32).toString('base64'), ['secret']],
    ['whsec_!!!!', ['secret']],
  ])('validates the secret %s: %j', (secret, properties) => {
    const errors = validateSync(plainToInstance(WebhookFields, fieldsOf({ secret })));
    expect(errors.map(({ property }) => property)).toEqual(properties);
  });

  it.each<[Reply, object]>([
    [
      { status: 429, headers: { 'Retry-After': '11' } },
      { permanent: false, retryAfterMs: 11_000 },
    ],
    [
      { status: 410, text: 'internal details' },
      { permanent: true, error: 'The receiver refused the message (status 410).' },
    ],
    [
      { status: 502, text: 'internal details' },
      { permanent: false, error: 'The receiver reported a server error (status 502).' },
    ],
  ])('judges %j without quoting the answer', async (reply, expected) => {
    receiver.answer(reply);
    expect(await sendBy(webhookChannel, fieldsOf())).toMatchObject({ status: 'failed', ...expected });
  });
});
