import { describe, expect, it } from '@jest/globals';
import { MARKUP, MESSAGES, messageOf, monitorOf, sendBy } from '../../test/support/channel-messages.js';
import { type Received, type Reply, useReceiver } from '../../test/support/receiver.js';
import { matrixChannel, type MatrixFields } from './matrix.channel.js';

const receiver = useReceiver();
const fieldsOf = (): MatrixFields => ({
  homeserverUrl: `${receiver.origin}/`,
  accessToken: 'syt_ZGF5d2F0Y2g_abcdefghijklmnop_012345',
  roomId: '!abcdefghij:example.com',
});
const ROOM = '/_matrix/client/v3/rooms/!abcdefghij%3Aexample.com/send/m.room.message/';

interface Body {
  msgtype: string;
  body: string;
  format: string;
  formatted_body: string;
  'm.mentions': object;
}

/** Answers as a homeserver does: with the id of the event, which is the same for the same transaction. */
function homeserver({ method, path, headers, json, text }: Received): Reply {
  const refusal = (status: number, errcode: string, error: string): Reply => ({ status, json: { errcode, error } });
  if (headers.authorization !== 'Bearer syt_ZGF5d2F0Y2g_abcdefghijklmnop_012345')
    return refusal(401, 'M_UNKNOWN_TOKEN', 'Unrecognised access token');
  if (method !== 'PUT' || !path.startsWith(ROOM)) return refusal(404, 'M_UNRECOGNIZED', 'Unrecognized request');
  const { msgtype, body, format } = json as Body;
  if (Buffer.byteLength(text) > 60_000) return refusal(413, 'M_TOO_LARGE', 'event too large');
  if (msgtype !== 'm.text' || body === '' || format !== 'org.matrix.custom.html')
    return refusal(400, 'M_BAD_JSON', 'No');
  return { json: { event_id: `$${path.slice(ROOM.length)}` } };
}

describe('the channel matrix', () => {
  it.each(Object.entries(MESSAGES))('sends a message that a homeserver accepts: %s', async (_, message) => {
    receiver.answer(homeserver);
    const delivery = await sendBy(matrixChannel, fieldsOf(), message);
    expect(delivery).toEqual({ status: 'sent', providerId: `$${message.id}`, statusCode: 200 });
  });

  it('escapes names and mentions nobody', async () => {
    receiver.answer(homeserver);
    await sendBy(matrixChannel, fieldsOf(), messageOf({ monitors: [monitorOf({ name: MARKUP })] }));
    const body = receiver.only.json as Body;
    expect(body['m.mentions']).toEqual({});
    expect(body.formatted_body).toContain('&lt;/b&gt;&amp;amp;');
    expect(body.formatted_body).toContain('<br>');
    expect(body.body.split('\n')[0]).toContain('</b>&amp; *a*');
  });

  it.each<[Reply, object]>([
    [
      { status: 429, json: { errcode: 'M_LIMIT_EXCEEDED', error: 'Too many requests', retry_after_ms: 2_000 } },
      { permanent: false, retryAfterMs: 2_000 },
    ],
    [
      { status: 429, headers: { 'Retry-After': '5' } },
      { permanent: false, retryAfterMs: 5_000 },
    ],
    [
      { status: 403, json: { errcode: 'M_FORBIDDEN', error: 'The bot is not in the room.' } },
      { permanent: true, error: 'The receiver refused the message (status 403): The bot is not in the room.' },
    ],
    [{ status: 504 }, { permanent: false }],
  ])('judges %j', async (reply, expected) => {
    receiver.answer(reply);
    expect(await sendBy(matrixChannel, fieldsOf())).toMatchObject({ status: 'failed', ...expected });
  });
});
