import { describe, expect, it } from '@jest/globals';
import { MARKUP, MESSAGES, messageOf, monitorOf, sendBy } from '../../test/support/channel-messages.js';
import { type Received, type Reply, useReceiver } from '../../test/support/receiver.js';
import { googleChatChannel } from './google-chat.channel.js';

const receiver = useReceiver();
const PATH = '/v1/spaces/AAAAabcdefg/messages';
const fieldsOf = () => ({ url: `${receiver.origin}${PATH}?key=AIzaSyAbCdEf&token=AbCdEfGhIjKlMn` });

interface Button {
  text: string;
  onClick: { openLink: { url: string } };
}

interface Body {
  text?: string;
  thread: { threadKey: string };
  cardsV2: {
    cardId: string;
    card: { sections: { widgets: { textParagraph?: { text: string }; buttonList?: { buttons: Button[] } }[] }[] };
  }[];
}

/** Answers as Google Chat does: with the message, or with an error object. */
function googleChat({ method, path, query, json, text }: Received): Reply {
  const refusal = (code: number, status: string): Reply => ({
    status: code,
    json: { error: { code, message: 'Request contains an invalid argument.', status } },
  });
  if (method !== 'POST' || path !== PATH || !query.get('key') || !query.get('token')) return refusal(404, 'NOT_FOUND');
  const { cardsV2 } = json as Body;
  const widgets = cardsV2.flatMap(({ card }) => card.sections.flatMap((one) => one.widgets));
  const hasText = widgets.every((one) => (one.textParagraph?.text ?? one.buttonList?.buttons[0]?.text ?? '') !== '');
  if (Buffer.byteLength(text) > 32_000 || !hasText) return refusal(400, 'INVALID_ARGUMENT');
  return { json: { name: 'spaces/AAAAabcdefg/messages/UBHHVc_AAAA.UBHHVc_AAAA' } };
}

describe('the channel google_chat', () => {
  it.each(Object.entries(MESSAGES))('sends a card that Google Chat accepts: %s', async (_, message) => {
    receiver.answer(googleChat);
    expect(await sendBy(googleChatChannel, fieldsOf(), message)).toEqual({
      status: 'sent',
      providerId: 'spaces/AAAAabcdefg/messages/UBHHVc_AAAA.UBHHVc_AAAA',
      statusCode: 200,
    });
  });

  it('threads an alert, and lets a repetition be recognised', async () => {
    receiver.answer(googleChat);
    await sendBy(googleChatChannel, fieldsOf());
    const { query, json } = receiver.only;
    expect(query.get('messageReplyOption')).toBe('REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD');
    expect(query.get('requestId')).toBe(messageOf().id);
    expect((json as Body).thread.threadKey).toBe(messageOf().alertKey);
    const [, buttons] = (json as Body).cardsV2[0]!.card.sections[0]!.widgets;
    expect(buttons!.buttonList!.buttons[1]).toEqual({
      text: 'Acknowledge',
      onClick: { openLink: { url: messageOf().links.acknowledge } },
    });
  });

  it('escapes names, and has no text outside of the card that could mention anybody', async () => {
    receiver.answer(googleChat);
    const name = `<users/all> ${MARKUP}`;
    await sendBy(googleChatChannel, fieldsOf(), messageOf({ monitors: [monitorOf({ name })] }));
    const body = receiver.only.json as Body;
    expect(body.text).toBeUndefined();
    const { text } = body.cardsV2[0]!.card.sections[0]!.widgets[0]!.textParagraph!;
    expect(text).toContain('&lt;users/all&gt; &lt;/b&gt;&amp;amp;');
    expect(text.replace(/<\/?b>|<a href="[^"<>]*">|<\/a>/g, '')).not.toMatch(/[<>]/);
  });

  it.each<[Reply, object]>([
    [
      { status: 429, json: { error: { code: 429, message: 'Resource exhausted.', status: 'RESOURCE_EXHAUSTED' } } },
      { permanent: false, retryAfterMs: null },
    ],
    [
      { status: 403, json: { error: { code: 403, message: 'The webhook is disabled.', status: 'PERMISSION_DENIED' } } },
      { permanent: true, error: 'The receiver refused the message (status 403): The webhook is disabled.' },
    ],
    [{ status: 503 }, { permanent: false }],
  ])('judges %j', async (reply, expected) => {
    receiver.answer(reply);
    expect(await sendBy(googleChatChannel, fieldsOf())).toMatchObject({ status: 'failed', ...expected });
  });
});
