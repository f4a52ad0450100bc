import { describe, expect, it } from '@jest/globals';
import { MESSAGES, messageOf, resolveOf, sendBy } from '../../test/support/channel-messages.js';
import { type Received, type Reply, useReceiver } from '../../test/support/receiver.js';
import { pagerdutyChannel, type PagerdutyFields } from './pagerduty.channel.js';

const receiver = useReceiver();
const KEY = '0123456789abcdef0123456789abcdef';
const fieldsOf = (): PagerdutyFields => ({ routingKey: KEY, apiUrl: receiver.origin });

interface Body {
  routing_key: string;
  event_action?: string;
  dedup_key?: string;
  links?: { href: string; text: string }[];
  payload?: {
    summary: string;
    source: string;
    severity?: string;
    timestamp: string;
    custom_details: Record<string, string>;
  };
}

/** Answers as the Events API does: 202 with the key of the alert, or 400 with the reasons. */
function events({ method, path, json, text }: Received): Reply {
  const refusal = (error: string): Reply => {
    return { status: 400, json: { status: 'invalid event', message: 'Event object is invalid', errors: [error] } };
  };
  const { routing_key: key, event_action: action, dedup_key: dedup, payload, links = [] } = json as Body;
  if (method !== 'POST' || Buffer.byteLength(text) > 512_000) return { status: 413 };
  if (key !== KEY) return refusal("Length of 'routing_key' is incorrect (should be 32 characters)");
  if (links.some((one) => !URL.canParse(one.href))) return refusal("'links' is invalid");
  if (payload && (payload.summary === '' || payload.summary.length > 1_024))
    return refusal("'payload.summary' is invalid");
  if (payload && (payload.source === '' || Number.isNaN(Date.parse(payload.timestamp))))
    return refusal("'payload' is invalid");
  if (path === '/v2/change/enqueue') {
    return payload && action === undefined
      ? { status: 202, json: { status: 'success', message: 'Change event processed' } }
      : refusal('No');
  }
  if (path !== '/v2/enqueue') return { status: 404 };
  if (!['trigger', 'acknowledge', 'resolve'].includes(action!)) return refusal("'event_action' is invalid");
  if (dedup === undefined || dedup === '' || dedup.length > 255) return refusal("'dedup_key' is invalid");
  const isSevere = ['critical', 'error', 'warning', 'info'].includes(payload?.severity ?? '');
  if (action === 'trigger' && !isSevere) return refusal("'payload.severity' is invalid");
  return { status: 202, json: { status: 'success', message: 'Event processed', dedup_key: dedup } };
}

describe('the channel pagerduty', () => {
  it.each(Object.entries(MESSAGES))('sends an event that PagerDuty accepts: %s', async (_, message) => {
    receiver.answer(events);
    expect(await sendBy(pagerdutyChannel, fieldsOf(), message)).toMatchObject({ status: 'sent', statusCode: 202 });
  });

  it('opens, acknowledges and closes one alert', async () => {
    receiver.answer(events);
    const messages = [
      messageOf(),
      messageOf({ kind: 'repeat' }),
      messageOf({ kind: 'acknowledged' }),
      resolveOf(),
      messageOf({ kind: 'correction' }),
    ];
    for (const message of messages) {
      const delivery = await sendBy(pagerdutyChannel, fieldsOf(), message);
      expect(delivery).toMatchObject({ status: 'sent', providerId: message.alertKey });
    }
    const bodies = receiver.requests.map(({ json }) => json as Body);
    expect(bodies.map((one) => one.event_action)).toEqual(['trigger', 'trigger', 'acknowledge', 'resolve', 'resolve']);
    expect(new Set(bodies.map((one) => one.dedup_key)).size).toBe(1);
  });

  it('describes the alert', async () => {
    receiver.answer(events);
    await sendBy(pagerdutyChannel, fieldsOf());
    expect(receiver.only.json).toMatchObject({
      client: 'Daywatch',
      client_url: messageOf().links.incident,
      links: expect.arrayContaining([{ href: messageOf().links.runbook, text: 'Runbook' }]),
      payload: {
        summary: 'DOWN Checkout API: status 503 since 15:58 UTC',
        source: 'https://shop.example/checkout',
        severity: 'critical',
        timestamp: '2026-01-15T15:58:00.000Z',
        custom_details: { Reason: 'The response has status 503; expected 2xx.', Team: 'Shop' },
      },
    });
  });

  it.each([
    ['what is over', MESSAGES['late notice']],
    ['maintenance', messageOf({ kind: 'notice', event: 'maintenance', impact: 'none', topic: 'Upgrade' })],
  ])('pages nobody for %s', async (_, message) => {
    receiver.answer(events);
    await sendBy(pagerdutyChannel, fieldsOf(), message);
    expect(receiver.only.path).toBe('/v2/change/enqueue');
  });

  it.each<[Reply, object]>([
    [{ status: 429 }, { permanent: false }],
    [
      {
        status: 400,
        json: { status: 'invalid event', message: 'Event object is invalid', errors: ['invalid routing key'] },
      },
      { permanent: true, error: 'The receiver refused the message (status 400): invalid routing key.' },
    ],
    [{ status: 503 }, { permanent: false }],
  ])('judges %j', async (reply, expected) => {
    receiver.answer(reply);
    expect(await sendBy(pagerdutyChannel, fieldsOf())).toMatchObject({ status: 'failed', ...expected });
  });
});
