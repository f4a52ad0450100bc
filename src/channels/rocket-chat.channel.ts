import { incomingWebhook, IncomingWebhookFields } from './chat/incoming-webhook.js';
import { codeBlock, COLOURS } from './chat/markup.js';
import { type Message } from './message.js';
import { textAt } from './net/http-client.js';
import { outlineOf, plainLines } from './outline.js';
import { fitLines } from './plain-text.js';

/** The settings of a channel of type `rocket_chat`. */
export class RocketChatFields extends IncomingWebhookFields {}

/** The largest message that a server accepts by default. */
const MAX_TEXT = 4_000;

/**
 * Posts an attachment by an incoming webhook. Its Markdown has no escapes, so the text is a block of code.
 * @see https://docs.rocket.chat/docs/integrations
 * @see https://github.com/RocketChat/Rocket.Chat/blob/develop/packages/message-parser/src/grammar.pegjs
 */
export const rocketChatChannel = incomingWebhook({
  type: 'rocket_chat',
  label: 'Rocket.Chat',
  summary:
    'Posts to a Rocket.Chat channel through an incoming webhook, with links to open and acknowledge the incident.',
  gist: 'A Rocket.Chat channel',
  help: 'Create it in Rocket.Chat: Administration, Integrations, New, Incoming.',
  example: {
    key: 'rocket-chat-ops',
    name: 'Rocket.Chat ops',
    settings: { url: 'https://rocket.example.com/hooks/000000000000000000000000/XXXXXXXXXXXXXXXXXXXXXXXX' },
  },
  fields: RocketChatFields,
  payload,
  reader: {
    accepts: ({ json }) => (json as { success?: unknown } | undefined)?.success !== false,
    explanation: ({ json }) => textAt(json, 'error'),
  },
});

function payload(message: Message): unknown {
  const outline = outlineOf(message);
  const text = fitLines([outline.title, ...plainLines({ ...outline, links: [] })], MAX_TEXT);
  const block = codeBlock(text.split('\n'));
  const links = outline.links.map(({ label, url }) => `[${label}](${url})`).join(' · ');
  return {
    attachments: [{ color: COLOURS[outline.tone], text: [...block, ...(links === '' ? [] : [links])].join('\n') }],
  };
}
