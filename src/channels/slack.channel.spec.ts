import { describe, expect, it } from '@jest/globals';
import { MARKUP, MESSAGES, messageOf, monitorOf, sendBy } from '../../test/support/channel-messages.js';
import { type Received, type Reply, useReceiver } from '../../test/support/receiver.js';
import { slackChannel } from './slack.channel.js';

const receiver = useReceiver();
const PATH = '/services/T000/B000/XXXXXXXXXXXXXXXXXXXXXXXX';
const fieldsOf = () => ({ url: receiver.origin + PATH });

interface Text {
  type: string;
  text: string;
  emoji?: boolean;
}

interface Block {
  type: string;
  text?: Text;
  elements?: { type: string; text: Text; url: string }[];
}

interface Body {
  text: string;
  mrkdwn: boolean;
  blocks: Block[];
}

/** Answers as Slack does: "ok", or 400 `invalid_blocks` where a documented rule is broken. */
function slack({ method, path, json, headers }: Received): Reply {
  const refused = { status: 400, text: 'invalid_blocks' };
  if (method !== 'POST' || headers['content-type'] !== 'application/json')
    return { status: 400, text: 'invalid_payload' };
  if (path !== PATH) return { status: 404, text: 'no_service' };
  const { blocks, text } = json as Body;
  if (text === '' || blocks.length > 50) return refused;
  for (const { type, text: own, elements = [] } of blocks) {
    const limits: Record<string, number> = { header: 150, section: 3_000 };
    if (own && (own.text.length === 0 || own.text.length > limits[type]! || own.type !== 'plain_text')) return refused;
    if (type === 'actions' && (elements.length === 0 || elements.length > 25)) return refused;
    if (elements.some((one) => one.text.text.length > 75 || one.url.length > 3_000)) return refused;
    const all = [own, ...elements.map((one) => one.text)].filter((one) => one !== undefined);
    if (all.some((one) => one.text.replace(/&(?:amp|lt|gt);/g, '').match(/[&<>]/))) return refused;
  }
  return { text: 'ok' };
}

describe('the channel slack', () => {
  it.each(Object.entries(MESSAGES))('sends a message that Slack accepts: %s', async (_, message) => {
    receiver.answer(slack);
    expect(await sendBy(slackChannel, fieldsOf(), message)).toEqual({
      status: 'sent',
      providerId: null,
      statusCode: 200,
    });
  });

  it('shows what happened, with buttons', async () => {
    receiver.answer(slack);
    await sendBy(slackChannel, fieldsOf());
    const { text, blocks } = receiver.only.json as Body;
    const [header, section, actions] = blocks;
    expect(text).toBe('DOWN Checkout API: status 503 since 15:58 UTC');
    expect(header!.text!.text).toBe(`🔴 ${text}`);
    expect(section!.text!.text).toContain('Reason: The response has status 503; expected 2xx.');
    expect(section!.text!.text).toContain('Target: https://shop.example/checkout');
    expect(actions!.elements!.map((one) => [one.text.text, one.url])).toEqual([
      ['Open incident', messageOf().links.incident],
      ['Acknowledge', messageOf().links.acknowledge],
      ['Open monitor', messageOf().links.monitor],
      ['Runbook', messageOf().links.runbook],
    ]);
  });

  it('mentions nobody', async () => {
    receiver.answer(slack);
    await sendBy(slackChannel, fieldsOf(), messageOf({ monitors: [monitorOf({ name: MARKUP })] }));
    expect(receiver.only.text).toContain('&lt;!channel&gt;');
    expect(receiver.only.text).not.toContain('<!channel>');
    expect((receiver.only.json as Body).mrkdwn).toBe(false);
  });

  it.each<[Reply, object]>([
    [
      { status: 429, headers: { 'Retry-After': '30' }, text: 'rate_limited' },
      { permanent: false, retryAfterMs: 30_000 },
    ],
    [
      { status: 404, text: 'no_service' },
      { permanent: true, error: expect.stringContaining('no_service') },
    ],
    [
      { status: 403, text: 'invalid_token' },
      { permanent: true, error: expect.stringContaining('invalid_token') },
    ],
    [
      { status: 410, text: 'channel_is_archived' },
      { permanent: true, error: expect.stringContaining('archived') },
    ],
    [{ status: 500, text: 'rollup_error' }, { permanent: false }],
  ])('judges %j', async (reply, expected) => {
    receiver.answer(reply);
    expect(await sendBy(slackChannel, fieldsOf())).toMatchObject({ status: 'failed', ...expected });
  });
});
