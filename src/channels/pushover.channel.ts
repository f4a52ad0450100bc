import { IsString, Matches, MaxLength } from 'class-validator';
import { webAddressProblem } from '../probes/host.rules.js';
import { MayBeLeftOut, Rule } from '../probes/rule.decorator.js';
import { type ChannelDefinition } from './channel.js';
import { apiUrlField, endpoint, hostAt, originOf, secretField } from './fields/addresses.js';
import { textAt } from './net/http-client.js';
import { post } from './net/post.js';
import { outlineOf, plainLines } from './outline.js';
import { cut, fitLines } from './plain-text.js';
import { type Urgency, urgencyOf } from './urgency.js';

/** The settings of a channel of type `pushover`. */
export class PushoverFields {
  /**
   * API token of the application. Responses contain `"********"` instead; sending that string keeps the stored token.
   * @example "azGDORePK8gMaC0QOYAMyEEuzJnyUi"
   */
  @IsString()
  @Matches(/^[A-Za-z\d]{30}$/, { message: 'apiToken must consist of 30 letters and digits' })
  apiToken: string;

  /**
   * Key of the user or the group. Responses contain `"********"` instead; sending that string keeps the stored key.
   * @example "uQiRzpo4DXghDmr9QzzfQu27cmVRsG"
   */
  @IsString()
  @Matches(/^[A-Za-z\d]{30}$/, { message: 'userKey must consist of 30 letters and digits' })
  userKey: string;

  /**
   * Base address of the API.
   * @example "https://api.pushover.net"
   */
  @MayBeLeftOut()
  @IsString()
  @MaxLength(2_048)
  @Rule('invalid_value', webAddressProblem, 'url')
  apiUrl?: string;
}

const API_URL = 'https://api.pushover.net';
const MAX_MESSAGE = 1_024;
const MAX_TITLE = 250;
const MAX_URL = 512;
const PRIORITIES: Record<Urgency, number> = { high: 1, normal: 0, low: -1 };

/**
 * Sends a message to the devices of a user or a group. Without `html`, clients read no markup.
 * @see https://pushover.net/api
 */
export const pushoverChannel: ChannelDefinition<PushoverFields> = {
  type: 'pushover',
  label: 'Pushover',
  summary: 'Sends a message to the devices of a Pushover user or group, with a priority that follows the impact.',
  audience: 'people',
  example: {
    key: 'pushover-on-call',
    name: 'Pushover on call',
    settings: { apiToken: 'azGDORePK8gMaC0QOYAMyEEuzJnyUi', userKey: 'uQiRzpo4DXghDmr9QzzfQu27cmVRsG' },
  },
  fields: PushoverFields,
  defaults: { apiUrl: API_URL },
  form: {
    gist: 'Phones and desktops with Pushover',
    essential: [
      secretField('/apiToken', 'API token', 'Create an application on pushover.net and copy its token.'),
      secretField('/userKey', 'User or group key', 'Shown on pushover.net after signing in.'),
    ],
    advanced: [apiUrlField('Default: https://api.pushover.net')],
  },
  secretPaths: () => [['apiToken'], ['userKey']],
  secretScope: ({ apiUrl = API_URL }) => originOf(apiUrl),
  hosts: ({ apiUrl = API_URL }) => hostAt('/apiUrl', apiUrl),
  send(message, { apiToken, userKey, apiUrl = API_URL }, context) {
    const outline = outlineOf(message);
    const lines = plainLines({ ...outline, links: [] });
    const link = outline.links.find(({ url }) => url.length <= MAX_URL);
    const form = {
      token: apiToken,
      user: userKey,
      title: cut(outline.title, MAX_TITLE),
      message: fitLines(lines.length > 0 ? lines : [cut(outline.title, MAX_MESSAGE)], MAX_MESSAGE),
      priority: String(PRIORITIES[urgencyOf(message)]),
      timestamp: String(Math.floor(Date.parse(message.at) / 1_000)),
      ...(link && { url: link.url, url_title: link.label }),
    };
    return post({ url: endpoint(apiUrl, '/1/messages.json'), form }, context, {
      accepts: ({ json }) => textAt(json, 'status') === '1',
      id: ({ json }) => textAt(json, 'request'),
      explanation: ({ json }) => textAt(json, 'errors', '0'),
    });
  },
};
