import { IsString, Matches, MaxLength } from 'class-validator';
import { webAddressProblem } from '../probes/host.rules.js';
import { Rule } from '../probes/rule.decorator.js';
import { type ChannelDefinition } from './channel.js';
import { endpoint, hostAt, originOf, secretField, TOKEN } from './fields/addresses.js';
import { textAt } from './net/http-client.js';
import { post } from './net/post.js';
import { outlineOf, plainLines } from './outline.js';
import { fitLines } from './plain-text.js';
import { type Urgency, urgencyOf } from './urgency.js';

/** The settings of a channel of type `gotify`. */
export class GotifyFields {
  /**
   * Address of the server, at most 2,048 characters.
   * @example "https://gotify.example.com"
   */
  @IsString()
  @MaxLength(2_048)
  @Rule('invalid_value', webAddressProblem, 'url')
  serverUrl: string;

  /**
   * Token of the application. Responses contain `"********"` instead; sending that string keeps the stored token.
   * @example "AbCdEfGhIjKlMnO"
   */
  @IsString()
  @MaxLength(255)
  @Matches(TOKEN, { message: 'appToken must consist of visible ASCII characters without spaces' })
  appToken: string;
}

const MAX_TEXT = 8_000;
/** From 8 on, clients interrupt; from 4 on, they make a sound. */
const PRIORITIES: Record<Urgency, number> = { high: 8, normal: 5, low: 3 };

/**
 * Pushes a message to the clients of a Gotify server, as plain text.
 * @see https://gotify.net/docs/pushmsg
 * @see https://gotify.net/docs/msgextras
 */
export const gotifyChannel: ChannelDefinition<GotifyFields> = {
  type: 'gotify',
  label: 'Gotify',
  summary: 'Pushes a message to the clients of a Gotify server, with a priority that follows the impact.',
  audience: 'people',
  example: {
    key: 'gotify-on-call',
    name: 'Gotify on call',
    settings: { serverUrl: 'https://gotify.example.com', appToken: 'AbCdEfGhIjKlMnO' },
  },
  fields: GotifyFields,
  defaults: {},
  form: {
    gist: 'Clients of a Gotify server',
    essential: [
      {
        pointer: '/serverUrl',
        label: 'Server URL',
        kind: 'text',
        required: true,
        help: 'Starts with https:// or http://.',
      },
      secretField('/appToken', 'Application token', 'Create an application in Gotify: Apps, Create Application.'),
    ],
  },
  secretPaths: () => [['appToken']],
  secretScope: ({ serverUrl }) => originOf(serverUrl),
  hosts: ({ serverUrl }) => hostAt('/serverUrl', serverUrl),
  send(message, { serverUrl, appToken }, context) {
    const outline = outlineOf(message);
    const lines = plainLines(outline);
    const [first] = outline.links;
    const json = {
      title: outline.title,
      // Gotify refuses an empty message.
      message: fitLines(lines.length > 0 ? lines : [outline.title], MAX_TEXT),
      priority: PRIORITIES[urgencyOf(message)],
      extras: {
        'client::display': { contentType: 'text/plain' },
        ...(first && { 'client::notification': { click: { url: first.url } } }),
      },
    };
    return post({ url: endpoint(serverUrl, '/message'), headers: { 'X-Gotify-Key': appToken }, json }, context, {
      id: ({ json: answer }) => textAt(answer, 'id'),
      explanation: ({ json: answer }) => textAt(answer, 'errorDescription'),
    });
  },
};
