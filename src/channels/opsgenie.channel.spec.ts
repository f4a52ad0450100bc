import { describe, expect, it } from '@jest/globals';
import { MESSAGES, messageOf, resolveOf, sendBy, stormOf } from '../../test/support/channel-messages.js';
import { type Received, type Reply, useReceiver } from '../../test/support/receiver.js';
import { opsgenieChannel, type OpsgenieFields } from './opsgenie.channel.js';

const receiver = useReceiver();
const fieldsOf = (): OpsgenieFields => ({ apiKey: 'eb243592-faa2-4ba2-a551-1afdf565c889', apiUrl: receiver.origin });

interface Body {
  message?: string;
  alias?: string;
  description?: string;
  priority?: string;
  tags?: string[];
  details?: Record<string, string>;
  entity?: string;
  note?: string;
}

/** Answers as the Alert API does: 202 with the id of the request, or the reason of a refusal. */
function alerts({ method, path, query, json, headers }: Received): Reply {
  const refusal = (status: number, message: string): Reply => ({
    status,
    json: { message, took: 0.001, requestId: 'r-0' },
  });
  if (headers.authorization !== 'GenieKey eb243592-faa2-4ba2-a551-1afdf565c889')
    return refusal(401, 'Could not authenticate');
  const accepted = {
    status: 202,
    json: { result: 'Request will be processed', took: 0.1, requestId: '43a29c5c-3dbf' },
  };
  const {
    message = '',
    alias = '',
    description = '',
    entity = '',
    tags = [],
    priority,
    details = {},
    note,
  } = json as Body;
  if (method !== 'POST') return refusal(405, 'Method not allowed');
  if (/^\/v2\/alerts\/[^/]+\/(?:close|acknowledge)$/.test(path)) {
    return query.get('identifierType') === 'alias' && note ? accepted : refusal(422, 'Invalid identifier');
  }
  if (path !== '/v2/alerts') return refusal(404, 'Not found');
  const isValid =
    message !== '' &&
    message.length <= 130 &&
    alias.length <= 512 &&
    description.length <= 15_000 &&
    entity.length <= 512 &&
    tags.length <= 20 &&
    tags.every((tag) => tag.length <= 50) &&
    /^P[1-5]$/.test(priority ?? '') &&
    JSON.stringify(details).length <= 8_000;
  return isValid ? accepted : refusal(422, 'Request body is not processable');
}

describe('the channel opsgenie', () => {
  it.each(Object.entries(MESSAGES))('sends a request that Opsgenie accepts: %s', async (_, message) => {
    receiver.answer(alerts);
    const delivery = await sendBy(opsgenieChannel, fieldsOf(), message);
    expect(delivery).toEqual({ status: 'sent', providerId: '43a29c5c-3dbf', statusCode: 202 });
  });

  it('opens, acknowledges and closes one alert', async () => {
    receiver.answer(alerts);
    await sendBy(opsgenieChannel, fieldsOf());
    await sendBy(opsgenieChannel, fieldsOf(), MESSAGES.acknowledgement);
    await sendBy(opsgenieChannel, fieldsOf(), resolveOf());
    const { alertKey } = messageOf();
    expect(receiver.requests.map(({ path }) => path)).toEqual([
      '/v2/alerts',
      `/v2/alerts/${alertKey}/acknowledge`,
      `/v2/alerts/${alertKey}/close`,
    ]);
    expect(receiver.requests[0]!.json).toMatchObject({
      alias: alertKey,
      message: 'DOWN Checkout API: status 503 since 15:58 UTC',
      priority: 'P1',
      tags: ['production', 'region:eu'],
      details: { Runbook: messageOf().links.runbook },
    });
  });

  it.each([
    ['what is over', MESSAGES['late notice']],
    ['maintenance', messageOf({ kind: 'notice', event: 'maintenance', impact: 'none', topic: 'Upgrade' })],
  ])('closes %s at once', async (_, message) => {
    receiver.answer(alerts);
    await sendBy(opsgenieChannel, fieldsOf(), message);
    expect(receiver.requests.map(({ path }) => path.split('/').at(-1))).toEqual(['alerts', 'close']);
    expect((receiver.requests[0]!.json as Body).priority).toBe('P5');
  });

  it('cuts the message of a storm', async () => {
    receiver.answer(alerts);
    await sendBy(opsgenieChannel, fieldsOf(), stormOf(40, 'x'.repeat(120)));
    expect((receiver.only.json as Body).message).toHaveLength(130);
  });

  it.each<[Reply, object]>([
    [
      { status: 429, headers: { 'Retry-After': '4' }, json: { message: 'Too many' } },
      { permanent: false, retryAfterMs: 4_000 },
    ],
    [
      { status: 403, json: { message: 'API Key is not eligible', took: 0 } },
      { permanent: true, error: 'The receiver refused the message (status 403): API Key is not eligible.' },
    ],
    [{ status: 503 }, { permanent: false }],
  ])('judges %j', async (reply, expected) => {
    receiver.answer(reply);
    expect(await sendBy(opsgenieChannel, fieldsOf())).toMatchObject({ status: 'failed', ...expected });
  });
});
