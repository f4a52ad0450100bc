import { incomingWebhook, IncomingWebhookFields } from './chat/incoming-webhook.js';
import { COLOURS, markdown, markedLines } from './chat/markup.js';
import { type Message } from './message.js';
import { textAt } from './net/http-client.js';
import { secondsToWait } from './net/retry-after.js';
import { outlineOf } from './outline.js';
import { cut, fitLines } from './plain-text.js';

/** The settings of a channel of type `discord`. */
export class DiscordFields extends IncomingWebhookFields {}

const MAX_TITLE = 256;
const MAX_DESCRIPTION = 4_096;
/** Discord honours a backslash before anything but letters, digits and spaces; all of its markup is ASCII. */
const MARKDOWN = markdown(/[!-/:-?[-`{-~]/g, /(?!)/g);

/**
 * Posts an embed by a webhook. `allowed_mentions` keeps Discord from notifying anybody, whatever a name contains.
 * @see https://discord.com/developers/docs/resources/webhook#execute-webhook
 * @see https://discord.com/developers/docs/resources/message#embed-object-embed-limits
 */
export const discordChannel = incomingWebhook({
  type: 'discord',
  label: 'Discord',
  summary: 'Posts to a Discord channel through a webhook, with links to open and acknowledge the incident.',
  gist: 'A Discord channel',
  help: 'Create it in Discord: Server Settings, Integrations, Webhooks.',
  example: {
    key: 'discord-ops',
    name: 'Discord #ops',
    settings: { url: 'https://discord.com/api/webhooks/000000000000000000/XXXXXXXXXXXXXXXXXXXXXXXX' },
  },
  fields: DiscordFields,
  payload,
  // Without this parameter, Discord does not answer with the message, nor report that it could not be stored.
  address: (url) => {
    const waiting = new URL(url);
    waiting.searchParams.set('wait', 'true');
    return waiting.href;
  },
  reader: {
    id: ({ json }) => textAt(json, 'id'),
    explanation: ({ json }) => textAt(json, 'message'),
    retryAfterMs: ({ json }) => secondsToWait((json as { retry_after?: unknown } | null | undefined)?.retry_after),
  },
});

function payload(message: Message): unknown {
  const outline = outlineOf(message);
  const { escape } = MARKDOWN;
  const title = cut(outline.title, MAX_TITLE, (text) => escape(text).length);
  const description = fitLines(markedLines(outline, MARKDOWN, { title: false, links: true }), MAX_DESCRIPTION);
  return {
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: escape(title),
        ...(description !== '' && { description }),
        ...(outline.links[0] && { url: outline.links[0].url }),
        color: Number.parseInt(COLOURS[outline.tone].slice(1), 16),
        timestamp: message.at,
      },
    ],
  };
}
