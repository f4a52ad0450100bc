import { describe, expect, it } from '@jest/globals';
import { MARKUP, MESSAGES, messageOf, monitorOf, sendBy } from '../../test/support/channel-messages.js';
import { type Received, type Reply, useReceiver } from '../../test/support/receiver.js';
import { zulipChannel, type ZulipFields } from './zulip.channel.js';

const receiver = useReceiver();
const fieldsOf = (): ZulipFields => ({
  siteUrl: receiver.origin,
  botEmail: 'bot@example.zulipchat.com',
  apiKey: 'abcdefghijklmnopqrstuvwxyz012345',
  stream: 'operations',
  topic: 'Alerts',
});
const LOGIN = `Basic ${Buffer.from('bot@example.zulipchat.com:abcdefghijklmnopqrstuvwxyz012345').toString('base64')}`;

/** Answers as Zulip does, with `result`. */
function zulip({ method, path, headers, form }: Received): Reply {
  if (headers.authorization !== LOGIN) return { status: 401, json: { result: 'error', msg: 'Invalid API key' } };
  const content = form.get('content') ?? '';
  const isValid =
    method === 'POST' &&
    path === '/api/v1/messages' &&
    headers['content-type'] === 'application/x-www-form-urlencoded' &&
    form.get('type') === 'stream' &&
    form.get('to') === 'operations' &&
    form.get('topic') === 'Alerts' &&
    content !== '' &&
    [...content].length <= 10_000 &&
    content.split('```').length === 3;
  return isValid
    ? { json: { result: 'success', msg: '', id: 42 } }
    : { status: 400, json: { result: 'error', msg: 'No' } };
}

describe('the channel zulip', () => {
  it.each(Object.entries(MESSAGES))('sends a message that Zulip accepts: %s', async (_, message) => {
    receiver.answer(zulip);
    const delivery = await sendBy(zulipChannel, fieldsOf(), message);
    expect(delivery).toEqual({ status: 'sent', providerId: '42', statusCode: 200 });
  });

  it('shows names literally in a block of code, and links after it', async () => {
    receiver.answer(zulip);
    await sendBy(zulipChannel, fieldsOf(), messageOf({ monitors: [monitorOf({ name: MARKUP })] }));
    const content = receiver.only.form.get('content')!;
    const [before, block, after] = content.split('```');
    expect(before).toBe('');
    expect(block).toContain('*a* _b_ ~c~ `d`');
    expect(content).not.toContain('@**all**');
    expect(after).toContain(`[Acknowledge](${messageOf().links.acknowledge})`);
    expect(after).not.toContain('evil');
  });

  it.each<[Reply, object]>([
    [
      { status: 429, headers: { 'Retry-After': '28.7' }, json: { result: 'error', code: 'RATE_LIMIT_HIT' } },
      { permanent: false, retryAfterMs: 28_700 },
    ],
    [
      {
        status: 400,
        json: { result: 'error', msg: "Channel 'operations' does not exist", code: 'STREAM_DOES_NOT_EXIST' },
      },
      { permanent: true, error: expect.stringContaining("Channel 'operations' does not exist") },
    ],
    [{ status: 401, json: { result: 'error', msg: 'Invalid API key' } }, { permanent: true }],
    [{ status: 502 }, { permanent: false }],
  ])('judges %j', async (reply, expected) => {
    receiver.answer(reply);
    expect(await sendBy(zulipChannel, fieldsOf())).toMatchObject({ status: 'failed', ...expected });
  });
});
