import { IsEmail, IsString, Length, Matches, MaxLength } from 'class-validator';
import { webAddressProblem } from '../probes/host.rules.js';
import { Rule } from '../probes/rule.decorator.js';
import { type ChannelDefinition } from './channel.js';
import { codeBlock } from './chat/markup.js';
import { basicHeader, endpoint, hostAt, originOf, secretField, TOKEN } from './fields/addresses.js';
import { type Message } from './message.js';
import { textAt } from './net/http-client.js';
import { post } from './net/post.js';
import { outlineOf, plainLines } from './outline.js';
import { fitLines } from './plain-text.js';

/** The settings of a channel of type `zulip`. */
export class ZulipFields {
  /**
   * Address of the organization, at most 2,048 characters.
   * @example "https://example.zulipchat.com"
   */
  @IsString()
  @MaxLength(2_048)
  @Rule('invalid_value', webAddressProblem, 'url')
  siteUrl: string;

  /**
   * Email address of the bot.
   * @example "daywatch-bot@example.zulipchat.com"
   */
  @IsString()
  @MaxLength(254)
  @IsEmail()
  botEmail: string;

  /**
   * API key of the bot. Responses contain `"********"` instead; sending that string keeps the stored key.
   * @example "abcdefghijklmnopqrstuvwxyz012345"
   */
  @IsString()
  @MaxLength(255)
  @Matches(TOKEN, { message: 'apiKey must consist of visible ASCII characters without spaces' })
  apiKey: string;

  /**
   * Name of the channel (stream) to post to.
   * @example "operations"
   */
  @IsString()
  @Length(1, 60)
  stream: string;

  /**
   * Topic to post under.
   * @example "Alerts"
   */
  @IsString()
  @Length(1, 60)
  topic: string;
}

/** A message may have 10,000 characters. */
const MAX_TEXT = 8_000;

/**
 * Posts as a bot. Zulip's Markdown has no escapes, so the text is a block of code.
 * @see https://zulip.com/api/send-message
 * @see https://zulip.com/api/http-headers
 */
export const zulipChannel: ChannelDefinition<ZulipFields> = {
  type: 'zulip',
  label: 'Zulip',
  summary: 'Posts to a Zulip channel as a bot, with links to open and acknowledge the incident.',
  audience: 'people',
  example: {
    key: 'zulip-ops',
    name: 'Zulip operations',
    settings: {
      siteUrl: 'https://example.zulipchat.com',
      botEmail: 'daywatch-bot@example.zulipchat.com',
      apiKey: 'abcdefghijklmnopqrstuvwxyz012345',
      stream: 'operations',
      topic: 'Alerts',
    },
  },
  fields: ZulipFields,
  defaults: {},
  form: {
    gist: 'A Zulip channel',
    essential: [
      {
        pointer: '/siteUrl',
        label: 'Organization URL',
        kind: 'text',
        required: true,
        help: 'Starts with https:// or http://.',
      },
      { pointer: '/botEmail', label: 'Bot email', kind: 'text', required: true },
      secretField('/apiKey', 'API key', 'Create a bot in Zulip: Personal settings, Bots, type "Incoming webhook".'),
      { pointer: '/stream', label: 'Channel', kind: 'text', required: true },
      { pointer: '/topic', label: 'Topic', kind: 'text', required: true },
    ],
  },
  secretPaths: () => [['apiKey']],
  secretScope: ({ siteUrl }) => originOf(siteUrl),
  hosts: ({ siteUrl }) => hostAt('/siteUrl', siteUrl),
  send(message, { siteUrl, botEmail, apiKey, stream, topic }, context) {
    const form = { type: 'stream', to: stream, topic, content: contentOf(message) };
    const headers = basicHeader(botEmail, apiKey);
    return post({ url: endpoint(siteUrl, '/api/v1/messages'), headers, form }, context, {
      id: ({ json }) => textAt(json, 'id'),
      explanation: ({ json }) => textAt(json, 'msg'),
    });
  },
};

function contentOf(message: Message): string {
  const outline = outlineOf(message);
  const text = fitLines([outline.title, ...plainLines({ ...outline, links: [] })], MAX_TEXT);
  const links = outline.links.map(({ label, url }) => `[${label}](${url})`).join(' · ');
  return [...codeBlock(text.split('\n')), ...(links === '' ? [] : [links])].join('\n');
}
