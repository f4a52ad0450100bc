import { describe, expect, it } from '@jest/globals';
import { MARKUP, MESSAGES, messageOf, monitorOf, resolveOf, sendBy } from '../../test/support/channel-messages.js';
import { type Received, type Reply, useReceiver } from '../../test/support/receiver.js';
import { gotifyChannel, type GotifyFields } from './gotify.channel.js';

const receiver = useReceiver();
const fieldsOf = (): GotifyFields => ({ serverUrl: `${receiver.origin}/push`, appToken: 'AbCdEfGhIjKlMnO' });

interface Body {
  title: string;
  message: string;
  priority: number;
  extras: Record<string, unknown>;
}

/** Answers as Gotify does: with the message, or with its error. */
function gotify({ method, path, headers, json }: Received): Reply {
  const refusal = (status: number, errorDescription: string): Reply => {
    return { status, json: { error: 'Error', errorCode: status, errorDescription } };
  };
  if (headers['x-gotify-key'] !== 'AbCdEfGhIjKlMnO') return refusal(401, 'you need to provide a valid access token');
  if (method !== 'POST' || path !== '/push/message') return refusal(404, 'page not found');
  const { message, priority } = json as Body;
  return message === '' || !Number.isInteger(priority)
    ? refusal(400, 'Field message is required')
    : { json: { id: 25 } };
}

describe('the channel gotify', () => {
  it.each(Object.entries(MESSAGES))('sends a message that Gotify accepts: %s', async (_, message) => {
    receiver.answer(gotify);
    const delivery = await sendBy(gotifyChannel, fieldsOf(), message);
    expect(delivery).toEqual({ status: 'sent', providerId: '25', statusCode: 200 });
  });

  it('sends plain text, with a priority by impact and links', async () => {
    receiver.answer(gotify);
    await sendBy(gotifyChannel, fieldsOf(), messageOf({ monitors: [monitorOf({ name: MARKUP })] }));
    await sendBy(gotifyChannel, fieldsOf(), resolveOf());
    const [trigger, resolve] = receiver.requests.map(({ json }) => json as Body);
    expect([trigger!.priority, resolve!.priority]).toEqual([8, 3]);
    expect(trigger!.title).toContain('</b>&amp; *a* _b_');
    expect(trigger!.message).toContain(`Acknowledge: ${messageOf().links.acknowledge}`);
    expect(trigger!.extras).toEqual({
      'client::display': { contentType: 'text/plain' },
      'client::notification': { click: { url: messageOf().links.incident } },
    });
  });

  it.each<[Reply, object]>([
    [
      {
        status: 401,
        json: { error: 'Unauthorized', errorCode: 401, errorDescription: 'you need to provide a valid token' },
      },
      { permanent: true, error: 'The receiver refused the message (status 401): you need to provide a valid token.' },
    ],
    [
      { status: 429, headers: { 'Retry-After': '9' } },
      { permanent: false, retryAfterMs: 9_000 },
    ],
    [{ status: 500 }, { permanent: false }],
  ])('judges %j', async (reply, expected) => {
    receiver.answer(reply);
    expect(await sendBy(gotifyChannel, fieldsOf())).toMatchObject({ status: 'failed', ...expected });
  });
});
