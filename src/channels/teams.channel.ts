import { incomingWebhook, IncomingWebhookFields } from './chat/incoming-webhook.js';
import { type Message } from './message.js';
import { textAt } from './net/http-client.js';
import { outlineOf, type Tone } from './outline.js';
import { utf8Bytes } from './plain-text.js';

/** The settings of a channel of type `teams`. */
export class TeamsFields extends IncomingWebhookFields {}

/** A message to Teams may have 28 KB; the workflow adds to what it receives. */
const MAX_BYTES = 24 * 1_024;

const TEXT_COLOURS: Record<Tone, string> = {
  bad: 'Attention',
  warning: 'Warning',
  good: 'Good',
  neutral: 'Default',
};

interface TextRun {
  type: 'TextRun';
  text: string;
  weight?: string;
  size?: string;
  color?: string;
}

/**
 * Posts an Adaptive Card by a workflow "When a Teams webhook request is received". All texts are text runs, in which
 * Teams reads no Markdown, unlike in text blocks and facts; without entities, nothing mentions anybody.
 * @see https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using
 * @see https://adaptivecards.io/explorer/TextRun.html
 */
export const teamsChannel = incomingWebhook({
  type: 'teams',
  label: 'Microsoft Teams',
  summary:
    'Posts an Adaptive Card to a Teams channel or chat through a workflow, with buttons to open and acknowledge the incident.',
  gist: 'A Teams channel or chat',
  help: 'Create it in Teams: Workflows, "Send webhook alerts to a channel".',
  example: {
    key: 'teams-ops',
    name: 'Teams Operations',
    settings: {
      url: 'https://prod-00.westeurope.logic.azure.com/workflows/abc/triggers/manual/paths/invoke?sig=XXXXXXXX',
    },
  },
  fields: TeamsFields,
  payload,
  reader: { explanation: ({ json }) => textAt(json, 'error', 'message') },
});

function payload(message: Message): unknown {
  const { title, tone, sentences, rows, monitors, links } = outlineOf(message);
  const paragraphs: TextRun[][] = [
    [{ type: 'TextRun', text: title, weight: 'Bolder', size: 'Medium', color: TEXT_COLOURS[tone] }],
    ...sentences.map((text): TextRun[] => [{ type: 'TextRun', text }]),
    ...rows.map(({ label, value }): TextRun[] => [
      { type: 'TextRun', text: `${label}: `, weight: 'Bolder' },
      { type: 'TextRun', text: value },
    ]),
    ...monitors.map((line): TextRun[] => [{ type: 'TextRun', text: `• ${line}` }]),
  ];
  const body = paragraphs.map((inlines, index) => {
    return { type: 'RichTextBlock', inlines, ...(index > 0 && { spacing: 'Small' }) };
  });
  const actions = links.map(({ label, url }) => ({ type: 'Action.OpenUrl', title: label, url }));
  let card = cardOf(body, actions);
  while (body.length > 1 && utf8Bytes(JSON.stringify(card)) > MAX_BYTES) {
    body.pop();
    card = cardOf(body, actions);
  }
  return card;
}

function cardOf(body: object[], actions: object[]): object {
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          msteams: { width: 'Full' },
          body,
          ...(actions.length > 0 && { actions }),
        },
      },
    ],
  };
}
