import { IsString, Matches, MaxLength } from 'class-validator';
import { webAddressProblem } from '../probes/host.rules.js';
import { MayBeLeftOut, Rule } from '../probes/rule.decorator.js';
import { type ChannelDefinition } from './channel.js';
import { bearerHeader, hostAt, originOf, secretField, TOKEN } from './fields/addresses.js';
import { textAt } from './net/http-client.js';
import { post } from './net/post.js';
import { outlineOf, plainLines, type Tone } from './outline.js';
import { cut, fitLines, utf8Bytes } from './plain-text.js';
import { type Urgency, urgencyOf } from './urgency.js';

/** The settings of a channel of type `ntfy`. */
export class NtfyFields {
  /**
   * Topic to publish to. On a server without access control, whoever knows it can read the messages, so responses contain
   * `"********"` instead; sending that string keeps the stored topic.
   * @example "daywatch-7d3f9a1c"
   */
  @IsString()
  @Matches(/^[\w-]{1,64}$/, { message: 'topic must consist of 1 to 64 letters, digits, _ and -' })
  topic: string;

  /**
   * Access token, if the topic is protected. Responses contain `"********"` instead; sending that string keeps the stored
   * token.
   * @example "tk_abcdefghijklmnopqrstuvwxyz012"
   */
  @MayBeLeftOut()
  @IsString()
  @MaxLength(255)
  @Matches(TOKEN, { message: 'accessToken must consist of visible ASCII characters without spaces' })
  accessToken?: string;

  /**
   * Address of the server, at most 2,048 characters.
   * @example "https://ntfy.sh"
   */
  @MayBeLeftOut()
  @IsString()
  @MaxLength(2_048)
  @Rule('invalid_value', webAddressProblem, 'url')
  serverUrl?: string;
}

const SERVER_URL = 'https://ntfy.sh';
/** A longer message becomes an attachment, or is refused. */
const MAX_BYTES = 4_096;
const MAX_TITLE = 200;
const MAX_ACTIONS = 3;
const PRIORITIES: Record<Urgency, number> = { high: 5, normal: 4, low: 3 };
/** Names of emojis, which clients show before the title. */
const TAGS: Record<Tone, string> = {
  bad: 'rotating_light',
  warning: 'warning',
  good: 'white_check_mark',
  neutral: 'information_source',
};

/**
 * Publishes JSON to a topic. Texts are plain; without `markdown`, clients read no markup.
 * @see https://docs.ntfy.sh/publish/#publish-as-json
 * @see https://docs.ntfy.sh/publish/#limitations
 */
export const ntfyChannel: ChannelDefinition<NtfyFields> = {
  type: 'ntfy',
  label: 'ntfy',
  summary: 'Publishes to a topic of ntfy.sh or of your own ntfy server, with a priority that follows the impact.',
  audience: 'people',
  example: { key: 'ntfy-on-call', name: 'ntfy on call', settings: { topic: 'daywatch-7d3f9a1c' } },
  fields: NtfyFields,
  defaults: { serverUrl: SERVER_URL },
  form: {
    gist: 'Phones and desktops with ntfy',
    essential: [
      secretField('/topic', 'Topic', 'Choose one that nobody can guess.'),
      { pointer: '/serverUrl', label: 'Server URL', kind: 'text', help: 'Default: https://ntfy.sh' },
      secretField('/accessToken', 'Access token', 'Only for a protected topic.', false),
    ],
  },
  secretPaths: () => [['topic'], ['accessToken']],
  secretScope: ({ serverUrl = SERVER_URL }) => originOf(serverUrl),
  hosts: ({ serverUrl = SERVER_URL }) => hostAt('/serverUrl', serverUrl),
  send(message, { topic, accessToken, serverUrl = SERVER_URL }, context) {
    const outline = outlineOf(message);
    const lines = plainLines({ ...outline, links: [] });
    const [first] = outline.links;
    const json = {
      topic,
      title: cut(outline.title, MAX_TITLE, utf8Bytes),
      // An empty message would be shown as "triggered".
      message: fitLines(lines.length > 0 ? lines : [outline.title], MAX_BYTES, utf8Bytes),
      priority: PRIORITIES[urgencyOf(message)],
      tags: [TAGS[outline.tone]],
      ...(first && { click: first.url }),
      actions: outline.links.slice(0, MAX_ACTIONS).map(({ label, url }) => ({ action: 'view', label, url })),
    };
    const headers = bearerHeader(accessToken);
    return post({ url: serverUrl, headers, json }, context, {
      id: ({ json: answer }) => textAt(answer, 'id'),
      explanation: ({ json: answer }) => textAt(answer, 'error'),
    });
  },
};
