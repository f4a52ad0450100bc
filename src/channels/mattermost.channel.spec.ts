import { describe, expect, it } from '@jest/globals';
import { MARKUP, MESSAGES, messageOf, monitorOf, sendBy, stormOf } from '../../test/support/channel-messages.js';
import { type Received, type Reply, useReceiver } from '../../test/support/receiver.js';
import { mattermostChannel } from './mattermost.channel.js';

const receiver = useReceiver();
const PATH = '/hooks/abcdefghijklmnopqrstuvwxyz';
const fieldsOf = () => ({ url: receiver.origin + PATH });

interface Body {
  attachments: { fallback: string; color: string; text: string }[];
}

/** Answers as Mattermost does: "ok", or JSON with the reason. */
function mattermost({ method, path, json }: Received): Reply {
  if (path !== PATH) return { status: 404, json: { id: 'web.incoming_webhook', message: 'Invalid webhook.' } };
  const { attachments } = json as Body;
  const size = attachments.reduce((sum, one) => sum + JSON.stringify(one).length, 0);
  const isValid =
    method === 'POST' && attachments.every((one) => one.fallback !== '' && /^#[\da-f]{6}$/.test(one.color));
  if (!isValid || size > 7_900)
    return { status: 400, json: { message: 'Maximum attachments length is 7900 characters.' } };
  return { text: 'ok' };
}

describe('the channel mattermost', () => {
  it.each(Object.entries(MESSAGES))('sends a message that Mattermost accepts: %s', async (_, message) => {
    receiver.answer(mattermost);
    expect(await sendBy(mattermostChannel, fieldsOf(), message)).toMatchObject({ status: 'sent' });
  });

  it('stays within the limit where every character is escaped', async () => {
    receiver.answer(mattermost);
    expect(await sendBy(mattermostChannel, fieldsOf(), stormOf(40, '*'.repeat(110)))).toMatchObject({ status: 'sent' });
    expect((receiver.only.json as Body).attachments[0]!.text).toMatch(/\n…$/);
  });

  it('shows what happened, with links', async () => {
    receiver.answer(mattermost);
    await sendBy(mattermostChannel, fieldsOf());
    const { text, fallback } = (receiver.only.json as Body).attachments[0]!;
    expect(fallback).toBe('DOWN Checkout API: status 503 since 15:58 UTC');
    expect(text.split('\n')[0]).toBe(
      `[**DOWN Checkout API:\u200b status 503 since 15:\u200b58 UTC**](${messageOf().links.incident})`,
    );
    expect(text).toContain(`[Acknowledge](${messageOf().links.acknowledge})`);
  });

  it('escapes names and mentions nobody', async () => {
    receiver.answer(mattermost);
    const name = `@all @channel @here ${MARKUP}`;
    await sendBy(mattermostChannel, fieldsOf(), messageOf({ monitors: [monitorOf({ name })] }));
    expect(receiver.only.text).not.toMatch(/@(?:all|channel|here|everyone)/);
    expect((receiver.only.json as Body).attachments[0]!.text).toContain('\\*a\\* \\_b\\_ \\~c\\~ \\`d\\`');
  });

  it.each<[Reply, object]>([
    [
      { status: 429, headers: { 'Retry-After': '1' } },
      { permanent: false, retryAfterMs: 1_000 },
    ],
    [
      { status: 400, json: { id: 'x', message: 'Invalid webhook.', status_code: 400 } },
      { permanent: true, error: 'The receiver refused the message (status 400): Invalid webhook.' },
    ],
    [{ status: 500 }, { permanent: false }],
  ])('judges %j', async (reply, expected) => {
    receiver.answer(reply);
    expect(await sendBy(mattermostChannel, fieldsOf())).toMatchObject({ status: 'failed', ...expected });
  });
});
