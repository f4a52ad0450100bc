import { describe, expect, it } from '@jest/globals';
import { MARKUP, MESSAGES, messageOf, monitorOf, resolveOf, sendBy } from '../../test/support/channel-messages.js';
import { type Received, type Reply, useReceiver } from '../../test/support/receiver.js';
import { telegramChannel, type TelegramFields } from './telegram.channel.js';

const receiver = useReceiver();
const TOKEN = '123456789:AAabcdefghijklmnopqrstuvwxyz0123456';
const fieldsOf = (changes: Partial<TelegramFields> = {}): TelegramFields => ({
  botToken: TOKEN,
  chatId: '-1001234567890',
  apiUrl: receiver.origin,
  ...changes,
});

interface Body {
  chat_id: string;
  message_thread_id?: number;
  text: string;
  parse_mode: string;
  disable_notification: boolean;
}

const TAGS = /<b>|<\/b>|<a href="[^"<>]*">|<\/a>/g;
const ENTITY = /&(?:amp|lt|gt|quot);/g;

/** Answers as the Bot API does, with `ok`. */
function telegram({ method, path, json }: Received): Reply {
  const refusal = (status: number, description: string): Reply => {
    return { status, json: { ok: false, error_code: status, description } };
  };
  if (path !== `/bot${TOKEN}/sendMessage`) return refusal(404, 'Not Found');
  const { chat_id: chat, text, parse_mode: mode } = json as Body;
  if (method !== 'POST' || mode !== 'HTML' || chat !== '-1001234567890')
    return refusal(400, 'Bad Request: chat not found');
  const opened = text.match(/<(?:b|a)\b/g)?.length ?? 0;
  const closed = text.match(/<\/(?:b|a)>/g)?.length ?? 0;
  if (opened !== closed || /[<>]|&(?!\w+;)/.test(text.replace(TAGS, '')))
    return refusal(400, "Bad Request: can't parse entities");
  const shown = text.replace(TAGS, '').replace(ENTITY, '.');
  if (shown === '' || shown.length > 4_096) return refusal(400, 'Bad Request: message is too long');
  return { json: { ok: true, result: { message_id: 815, chat: { id: -1001234567890 } } } };
}

describe('the channel telegram', () => {
  it.each(Object.entries(MESSAGES))('sends a message that Telegram accepts: %s', async (_, message) => {
    receiver.answer(telegram);
    const delivery = await sendBy(telegramChannel, fieldsOf(), message);
    expect(delivery).toEqual({ status: 'sent', providerId: '815', statusCode: 200 });
  });

  it('makes a sound only for what is urgent, and can post to a topic', async () => {
    receiver.answer(telegram);
    await sendBy(telegramChannel, fieldsOf({ topicId: 42 }));
    await sendBy(telegramChannel, fieldsOf(), resolveOf());
    const [trigger, resolve] = receiver.requests.map((one) => one.json as Body);
    expect(trigger).toMatchObject({ disable_notification: false, message_thread_id: 42 });
    expect(resolve).toMatchObject({ disable_notification: true });
  });

  it('escapes names and mentions nobody', async () => {
    receiver.answer(telegram);
    await sendBy(telegramChannel, fieldsOf(), messageOf({ monitors: [monitorOf({ name: MARKUP })] }));
    const { text } = receiver.only.json as Body;
    expect(text).toContain('&lt;/b&gt;&amp;amp; *a* _b_');
    expect(text).not.toContain('@everyone');
  });

  it.each<[Reply, object]>([
    [
      {
        status: 429,
        json: {
          ok: false,
          error_code: 429,
          description: 'Too Many Requests: retry after 35',
          parameters: { retry_after: 35 },
        },
      },
      { permanent: false, retryAfterMs: 35_000 },
    ],
    [
      { status: 403, json: { ok: false, error_code: 403, description: 'Forbidden: bot was blocked by the user' } },
      {
        permanent: true,
        error: 'The receiver refused the message (status 403): Forbidden: bot was blocked by the user.',
      },
    ],
    [{ status: 401, json: { ok: false, error_code: 401, description: 'Unauthorized' } }, { permanent: true }],
    [{ status: 502 }, { permanent: false }],
  ])('judges %j', async (reply, expected) => {
    receiver.answer(reply);
    expect(await sendBy(telegramChannel, fieldsOf())).toMatchObject({ status: 'failed', ...expected });
  });
});
