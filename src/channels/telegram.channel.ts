import { IsInt, IsString, Matches, Max, MaxLength, Min } from 'class-validator';
import { webAddressProblem } from '../probes/host.rules.js';
import { MayBeLeftOut, Rule } from '../probes/rule.decorator.js';
import { type ChannelDefinition } from './channel.js';
import { HTML, markedLines } from './chat/markup.js';
import { apiUrlField, endpoint, hostAt, originOf, secretField } from './fields/addresses.js';
import { type Answer, textAt } from './net/http-client.js';
import { post } from './net/post.js';
import { secondsToWait } from './net/retry-after.js';
import { outlineOf } from './outline.js';
import { fitLines } from './plain-text.js';
import { urgencyOf } from './urgency.js';

/** The settings of a channel of type `telegram`. */
export class TelegramFields {
  /**
   * Token of the bot, from @BotFather. Responses contain `"********"` instead; sending that string keeps the stored token.
   * @example "123456789:AAabcdefghijklmnopqrstuvwxyz0123456"
   */
  @IsString()
  @Matches(/^\d{3,20}:[\w-]{20,100}$/, { message: 'botToken must have the form 123456789:AA…' })
  botToken: string;

  /**
   * Id of the chat, or `@name` of a public channel. The bot must be a member.
   * @example "-1001234567890"
   */
  @IsString()
  @Matches(/^(?:-?\d{1,20}|@[A-Za-z]\w{3,31})$/, { message: 'chatId must be a number or have the form @name' })
  chatId: string;

  /**
   * Topic of a forum group to post to; without it, the general one.
   * @example 42
   */
  @MayBeLeftOut()
  @IsInt()
  @Min(1)
  @Max(2_147_483_647)
  topicId?: number;

  /**
   * Base address of the Bot API; change it for a server of your own.
   * @example "https://api.telegram.org"
   */
  @MayBeLeftOut()
  @IsString()
  @MaxLength(2_048)
  @Rule('invalid_value', webAddressProblem, 'url')
  apiUrl?: string;
}

const API_URL = 'https://api.telegram.org';
/** Telegram counts after it has read the markup, so this is on the safe side. */
const MAX_TEXT = 4_096;

/**
 * Sends a message as a bot, in HTML mode.
 * @see https://core.telegram.org/bots/api#sendmessage
 * @see https://core.telegram.org/bots/api#responseparameters
 */
export const telegramChannel: ChannelDefinition<TelegramFields> = {
  type: 'telegram',
  label: 'Telegram',
  summary: 'Sends a message to a Telegram chat, group or channel as a bot. Only urgent messages make a sound.',
  audience: 'people',
  example: {
    key: 'telegram-ops',
    name: 'Telegram group',
    settings: { botToken: '123456789:AAabcdefghijklmnopqrstuvwxyz0123456', chatId: '-1001234567890' },
  },
  fields: TelegramFields,
  defaults: { apiUrl: API_URL },
  form: {
    gist: 'A Telegram chat, group or channel',
    essential: [
      secretField('/botToken', 'Bot token', 'Create a bot with @BotFather, and add it to the chat.'),
      {
        pointer: '/chatId',
        label: 'Chat ID',
        kind: 'text',
        required: true,
        help: 'A number such as -1001234567890, or @name of a public channel.',
      },
    ],
    advanced: [
      { pointer: '/topicId', label: 'Topic ID', kind: 'integer', help: 'Only for groups with topics.' },
      apiUrlField('Only for a self-hosted Bot API server.'),
    ],
  },
  secretPaths: () => [['botToken']],
  secretScope: ({ apiUrl = API_URL }) => originOf(apiUrl),
  hosts: ({ apiUrl = API_URL }) => hostAt('/apiUrl', apiUrl),
  send(message, { botToken, chatId, topicId, apiUrl = API_URL }, context) {
    const lines = markedLines(outlineOf(message), HTML, { title: true, links: true });
    const json = {
      chat_id: chatId,
      ...(topicId !== undefined && { message_thread_id: topicId }),
      text: fitLines(lines, MAX_TEXT),
      parse_mode: 'HTML',
      link_preview_options: { is_disabled: true },
      disable_notification: urgencyOf(message) === 'low',
    };
    return post({ url: endpoint(apiUrl, `/bot${botToken}/sendMessage`), json }, context, {
      accepts: (answer) => (answer.json as { ok?: unknown } | null | undefined)?.ok === true,
      id: ({ json: answer }) => textAt(answer, 'result', 'message_id'),
      explanation: ({ json: answer }) => textAt(answer, 'description'),
      retryAfterMs: waitOf,
    });
  },
};

function waitOf({ json }: Answer): number | null {
  return secondsToWait(
    (json as { parameters?: { retry_after?: unknown } } | null | undefined)?.parameters?.retry_after,
  );
}
