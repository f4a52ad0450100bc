import { incomingWebhook, IncomingWebhookFields } from './chat/incoming-webhook.js';
import { HTML, markedLines } from './chat/markup.js';
import { type Message } from './message.js';
import { textAt } from './net/http-client.js';
import { outlineOf } from './outline.js';
import { fitLines, utf8Bytes } from './plain-text.js';

/** The settings of a channel of type `google_chat`. */
export class GoogleChatFields extends IncomingWebhookFields {}

/** A message may have 32,000 bytes, its JSON included. */
const MAX_TEXT_BYTES = 16_000;

/**
 * Posts a card by a webhook. Texts of cards are HTML, and only texts outside of cards can mention anybody. An incident
 * is one thread, and a repeated request is recognised.
 * @see https://developers.google.com/workspace/chat/quickstart/webhooks
 * @see https://developers.google.com/workspace/chat/api/reference/rest/v1/cards
 */
export const googleChatChannel = incomingWebhook({
  type: 'google_chat',
  label: 'Google Chat',
  summary: 'Posts a card to a Google Chat space through a webhook, with buttons to open and acknowledge the incident.',
  gist: 'A Google Chat space',
  help: 'Create it in Google Chat: the menu of the space, Apps & integrations, Webhooks.',
  example: {
    key: 'google-chat-ops',
    name: 'Google Chat Ops',
    settings: { url: 'https://chat.googleapis.com/v1/spaces/AAAA0000000/messages?key=XXXXXXXX&token=XXXXXXXX' },
  },
  fields: GoogleChatFields,
  payload,
  address: (url, { id }) => {
    const threaded = new URL(url);
    threaded.searchParams.set('messageReplyOption', 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD');
    threaded.searchParams.set('requestId', id);
    return threaded.href;
  },
  reader: {
    id: ({ json }) => textAt(json, 'name'),
    explanation: ({ json }) => textAt(json, 'error', 'message'),
  },
});

function payload(message: Message): unknown {
  const outline = outlineOf(message);
  const text = fitLines(markedLines(outline, HTML, { title: true, links: false }), MAX_TEXT_BYTES, utf8Bytes);
  const buttons = outline.links.map(({ label, url }) => ({ text: label, onClick: { openLink: { url } } }));
  const widgets = [{ textParagraph: { text } }, ...(buttons.length > 0 ? [{ buttonList: { buttons } }] : [])];
  return {
    cardsV2: [{ cardId: 'alert', card: { sections: [{ widgets }] } }],
    thread: { threadKey: message.alertKey },
  };
}
