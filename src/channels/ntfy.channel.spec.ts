import { describe, expect, it } from '@jest/globals';
import { MARKUP, MESSAGES, messageOf, monitorOf, resolveOf, sendBy } from '../../test/support/channel-messages.js';
import { type Received, type Reply, useReceiver } from '../../test/support/receiver.js';
import { ntfyChannel, type NtfyFields } from './ntfy.channel.js';

const receiver = useReceiver();
const fieldsOf = (changes: Partial<NtfyFields> = {}): NtfyFields => ({
  topic: 'daywatch-7d3f9a1c',
  serverUrl: receiver.origin,
  ...changes,
});

interface Body {
  topic: string;
  title: string;
  message: string;
  priority: number;
  tags: string[];
  click?: string;
  markdown?: boolean;
  actions: { action: string; label: string; url: string }[];
}

/** Answers as ntfy does: with the message, or with its error code. */
function ntfy({ method, path, json, headers }: Received): Reply {
  if (headers.authorization === 'Bearer tk_wrong')
    return { status: 401, json: { code: 40_101, http: 401, error: 'unauthorized' } };
  const { topic, title, message, priority, actions } = json as Body;
  const isValid =
    method === 'POST' &&
    path === '/' &&
    /^[\w-]{1,64}$/.test(topic) &&
    title !== '' &&
    message !== '' &&
    Buffer.byteLength(message) <= 4_096 &&
    priority >= 1 &&
    priority <= 5 &&
    actions.length <= 3 &&
    actions.every((one) => one.action === 'view' && URL.canParse(one.url));
  return isValid
    ? { json: { id: 'hwQ2YpKdmg', event: 'message', topic } }
    : { status: 400, json: { code: 40_024, error: 'No' } };
}

describe('the channel ntfy', () => {
  it.each(Object.entries(MESSAGES))('sends a message that ntfy accepts: %s', async (_, message) => {
    receiver.answer(ntfy);
    const delivery = await sendBy(ntfyChannel, fieldsOf(), message);
    expect(delivery).toEqual({ status: 'sent', providerId: 'hwQ2YpKdmg', statusCode: 200 });
  });

  it('has a priority by impact', async () => {
    receiver.answer(ntfy);
    await sendBy(ntfyChannel, fieldsOf());
    await sendBy(ntfyChannel, fieldsOf(), messageOf({ event: 'degraded', impact: 'degraded' }));
    await sendBy(ntfyChannel, fieldsOf(), resolveOf());
    const sent = receiver.requests.map(({ json }) => json as Body);
    expect(sent.map(({ priority }) => priority)).toEqual([5, 4, 3]);
    expect(sent.map(({ tags }) => tags[0])).toEqual(['rotating_light', 'warning', 'white_check_mark']);
    expect(sent[0]!.click).toBe(messageOf().links.incident);
  });

  it('sends names as they are, because clients read no markup', async () => {
    receiver.answer(ntfy);
    await sendBy(
      ntfyChannel,
      fieldsOf({ accessToken: 'tk_right' }),
      messageOf({ monitors: [monitorOf({ name: MARKUP })] }),
    );
    expect(receiver.only.headers.authorization).toBe('Bearer tk_right');
    expect((receiver.only.json as Body).title).toContain('</b>&amp; *a* _b_');
    expect((receiver.only.json as Body).markdown).toBeUndefined();
  });

  it.each<[Partial<NtfyFields>, Reply | ((received: Received) => Reply), object]>([
    [
      {},
      { status: 429, json: { code: 42_901, http: 429, error: 'limit reached: too many requests' } },
      { permanent: false, error: expect.stringContaining('limit reached: too many requests') },
    ],
    [{ accessToken: 'tk_wrong' }, ntfy, { permanent: true, statusCode: 401 }],
    [{}, { status: 403, json: { code: 40_301, http: 403, error: 'forbidden' } }, { permanent: true }],
    [{}, { status: 507, json: { code: 50_701, error: 'insufficient storage' } }, { permanent: false }],
  ])('judges the answer to %j', async (changes, reply, expected) => {
    receiver.answer(reply);
    expect(await sendBy(ntfyChannel, fieldsOf(changes))).toMatchObject({ status: 'failed', ...expected });
  });
});
