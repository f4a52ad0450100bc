import { incomingWebhook, IncomingWebhookFields } from './chat/incoming-webhook.js';
import { type Message } from './message.js';
import { outlineOf, plainLines, type Tone } from './outline.js';
import { cut, fitLines } from './plain-text.js';

/** The settings of a channel of type `slack`. */
export class SlackFields extends IncomingWebhookFields {}

const MAX_HEADER = 150;
const MAX_SECTION = 3_000;
/** Blocks have no colour. */
const SIGNS: Record<Tone, string> = { bad: '🔴', warning: '🟠', good: '🟢', neutral: '⚪' };

/**
 * Posts Block Kit by an incoming webhook. All texts are `plain_text`, in which Slack reads no markup; `&`, `<` and `>`
 * are escaped in any text, so nothing can become a link or a mention.
 * @see https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
 * @see https://docs.slack.dev/reference/block-kit/blocks
 */
export const slackChannel = incomingWebhook({
  type: 'slack',
  label: 'Slack',
  summary: 'Posts to a Slack channel through an incoming webhook, with buttons to open and acknowledge the incident.',
  gist: 'A Slack channel',
  help: 'Create it in Slack: Apps, Incoming Webhooks, Add New Webhook.',
  example: {
    key: 'slack-ops',
    name: 'Slack #ops',
    settings: { url: 'https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX' },
  },
  fields: SlackFields,
  payload,
  reader: {
    // Answers are a word such as "no_service" or "invalid_token".
    explanation: ({ text }) => (/^[a-z_]{1,60}$/.test(text.trim()) ? text.trim() : null),
  },
});

function payload(message: Message): unknown {
  const outline = outlineOf(message);
  const { title, tone, links } = outline;
  const lines = plainLines({ ...outline, links: [] }).map(escape);
  const buttons = links.map(({ label, url }) => ({ type: 'button', text: plainText(label), url }));
  return {
    // Shown in notifications; the message itself shows the blocks instead.
    text: escape(title),
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'header', text: plainText(`${SIGNS[tone]} ${title}`, MAX_HEADER) },
      ...(lines.length > 0
        ? [{ type: 'section', text: { type: 'plain_text', text: fitLines(lines, MAX_SECTION), emoji: false } }]
        : []),
      ...(buttons.length > 0 ? [{ type: 'actions', elements: buttons }] : []),
    ],
  };
}

function plainText(text: string, max = 75): object {
  return { type: 'plain_text', text: escape(cut(text, max, escapedSize)), emoji: false };
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function escapedSize(text: string): number {
  return escape(text).length;
}
