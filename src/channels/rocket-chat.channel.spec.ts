import { describe, expect, it } from '@jest/globals';
import { MARKUP, MESSAGES, messageOf, monitorOf, sendBy } from '../../test/support/channel-messages.js';
import { type Received, type Reply, useReceiver } from '../../test/support/receiver.js';
import { rocketChatChannel } from './rocket-chat.channel.js';

const receiver = useReceiver();
const PATH = '/hooks/64f0c3a2e4b0a1b2c3d4e5f6/AbCdEfGhIjKlMnOpQrStUvWxYz';
const fieldsOf = () => ({ url: receiver.origin + PATH });

interface Body {
  attachments: { color: string; text: string }[];
}

/** Answers as Rocket.Chat does, with `success`. */
function rocketChat({ method, path, json }: Received): Reply {
  if (method !== 'POST' || path !== PATH)
    return { status: 404, json: { success: false, error: 'Invalid integration id' } };
  const { attachments } = json as Body;
  const isValid = attachments.every(({ text }) => text.length <= 5_000 && text.split('```').length === 3);
  return isValid ? { json: { success: true } } : { status: 400, json: { success: false, error: 'invalid message' } };
}

describe('the channel rocket_chat', () => {
  it.each(Object.entries(MESSAGES))('sends a message that Rocket.Chat accepts: %s', async (_, message) => {
    receiver.answer(rocketChat);
    expect(await sendBy(rocketChatChannel, fieldsOf(), message)).toMatchObject({ status: 'sent' });
  });

  it('shows names literally in a block of code, and links after it', async () => {
    receiver.answer(rocketChat);
    const name = `${MARKUP} @all @here`;
    await sendBy(rocketChatChannel, fieldsOf(), messageOf({ monitors: [monitorOf({ name })] }));
    const { text } = (receiver.only.json as Body).attachments[0]!;
    const [before, block, after] = text.split('```');
    expect(before).toBe('');
    expect(block).toContain('*a* _b_ ~c~ `d`');
    expect(text).not.toMatch(/@(?:all|here|everyone)/);
    expect(after).toContain(`[Acknowledge](${messageOf().links.acknowledge})`);
    expect(after).not.toContain('evil');
  });

  it.each<[Reply, object]>([
    [{ json: { success: false, error: 'error-room-archived' } }, { permanent: true, statusCode: 200 }],
    [
      { status: 400, json: { success: false, error: 'Invalid integration id or token provided.' } },
      { permanent: true, error: expect.stringContaining('Invalid integration id or token provided.') },
    ],
    [
      { status: 429, headers: { 'Retry-After': '60' } },
      { permanent: false, retryAfterMs: 60_000 },
    ],
    [{ status: 503 }, { permanent: false }],
  ])('judges %j', async (reply, expected) => {
    receiver.answer(reply);
    expect(await sendBy(rocketChatChannel, fieldsOf())).toMatchObject({ status: 'failed', ...expected });
  });
});
