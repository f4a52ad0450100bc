import { incomingWebhook, IncomingWebhookFields } from './chat/incoming-webhook.js';
import { COLOURS, markdown, markedLines, withoutMentions } from './chat/markup.js';
import { type Message } from './message.js';
import { textAt } from './net/http-client.js';
import { outlineOf } from './outline.js';
import { fitLines } from './plain-text.js';

/** The settings of a channel of type `mattermost`. */
export class MattermostFields extends IncomingWebhookFields {}

/** Servers before version 5 accept attachments of 7,900 characters in total. */
const MAX_TEXT = 7_000;
const MARKDOWN = markdown(/[!#()*+.>[\\\]_`{|}~-]/g, /[:<]/g);

/**
 * Posts an attachment by an incoming webhook. Its text is Markdown; a title would be Markdown only without a link.
 * @see https://developers.mattermost.com/integrate/webhooks/incoming/
 * @see https://developers.mattermost.com/integrate/reference/message-attachments/
 */
export const mattermostChannel = incomingWebhook({
  type: 'mattermost',
  label: 'Mattermost',
  summary:
    'Posts to a Mattermost channel through an incoming webhook, with links to open and acknowledge the incident.',
  gist: 'A Mattermost channel',
  help: 'Create it in Mattermost: Integrations, Incoming Webhooks.',
  example: {
    key: 'mattermost-ops',
    name: 'Mattermost ops',
    settings: { url: 'https://mattermost.example.com/hooks/xxxxxxxxxxxxxxxxxxxxxxxxxx' },
  },
  fields: MattermostFields,
  payload,
  reader: { explanation: ({ json }) => textAt(json, 'message') },
});

function payload(message: Message): unknown {
  const outline = outlineOf(message);
  const text = fitLines(markedLines(outline, MARKDOWN, { title: true, links: true }), MAX_TEXT, jsonSize);
  return { attachments: [{ fallback: withoutMentions(outline.title), color: COLOURS[outline.tone], text }] };
}

/** Servers measure attachments as JSON, in which a backslash takes two characters. */
function jsonSize(text: string): number {
  return JSON.stringify(text).length;
}
