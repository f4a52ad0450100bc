import { IsString, Matches, MaxLength } from 'class-validator';
import { webAddressProblem } from '../probes/host.rules.js';
import { Rule } from '../probes/rule.decorator.js';
import { type ChannelDefinition } from './channel.js';
import { HTML, markedLines } from './chat/markup.js';
import { bearerHeader, endpoint, hostAt, originOf, secretField, TOKEN } from './fields/addresses.js';
import { type Answer, textAt } from './net/http-client.js';
import { post } from './net/post.js';
import { secondsToWait } from './net/retry-after.js';
import { outlineOf, plainLines } from './outline.js';
import { fitLines, utf8Bytes } from './plain-text.js';

/** The settings of a channel of type `matrix`. */
export class MatrixFields {
  /**
   * Address of the homeserver of the bot, at most 2,048 characters.
   * @example "https://matrix.example.com"
   */
  @IsString()
  @MaxLength(2_048)
  @Rule('invalid_value', webAddressProblem, 'url')
  homeserverUrl: string;

  /**
   * Access token of the bot. Responses contain `"********"` instead; sending that string keeps the stored token.
   * @example "syt_ZGF5d2F0Y2g_abcdefghijklmnop_012345"
   */
  @IsString()
  @MaxLength(4_096)
  @Matches(TOKEN, { message: 'accessToken must consist of visible ASCII characters without spaces' })
  accessToken: string;

  /**
   * Id of a room that the bot has joined and that is not encrypted.
   * @example "!abcdefghijklmnopqr:example.com"
   */
  @IsString()
  @MaxLength(255)
  @Matches(/^![^\s:]+(?::[^\s/]+)?$/, { message: 'roomId must have the form !room:server' })
  roomId: string;
}

/** An event may have 65,536 bytes, which contains the text twice. */
const MAX_BYTES = 16_000;

/**
 * Sends a text to a room. The transaction id is that of the notification, so that a repetition sends nothing. An empty
 * `m.mentions` keeps clients from reading mentions in the text.
 * @see https://spec.matrix.org/latest/client-server-api/#put_matrixclientv3roomsroomidsendeventtypetxnid
 * @see https://spec.matrix.org/latest/client-server-api/#user-and-room-mentions
 */
export const matrixChannel: ChannelDefinition<MatrixFields> = {
  type: 'matrix',
  label: 'Matrix',
  summary: 'Sends a message to a Matrix room. A retry does not duplicate it.',
  audience: 'people',
  example: {
    key: 'matrix-ops',
    name: 'Matrix operations',
    settings: {
      homeserverUrl: 'https://matrix.example.com',
      accessToken: 'syt_ZGF5d2F0Y2g_abcdefghijklmnop_012345',
      roomId: '!abcdefghijklmnopqr:example.com',
    },
  },
  fields: MatrixFields,
  defaults: {},
  form: {
    gist: 'A Matrix room',
    essential: [
      {
        pointer: '/homeserverUrl',
        label: 'Homeserver URL',
        kind: 'text',
        required: true,
        help: 'Starts with https:// or http://.',
      },
      secretField('/accessToken', 'Access token', "From the bot's account, which must have joined the room."),
      {
        pointer: '/roomId',
        label: 'Room ID',
        kind: 'text',
        required: true,
        help: 'The internal ID of an unencrypted room, such as !abc:example.com.',
      },
    ],
  },
  secretPaths: () => [['accessToken']],
  secretScope: ({ homeserverUrl }) => originOf(homeserverUrl),
  hosts: ({ homeserverUrl }) => hostAt('/homeserverUrl', homeserverUrl),
  send(message, { homeserverUrl, accessToken, roomId }, context) {
    const outline = outlineOf(message);
    const html = fitLines(markedLines(outline, HTML, { title: true, links: true }), MAX_BYTES, utf8Bytes);
    const json = {
      msgtype: 'm.text',
      body: fitLines([outline.title, ...plainLines(outline)], MAX_BYTES, utf8Bytes),
      format: 'org.matrix.custom.html',
      formatted_body: html.replaceAll('\n', '<br>'),
      'm.mentions': {},
    };
    const room = encodeURIComponent(roomId);
    const path = `/_matrix/client/v3/rooms/${room}/send/m.room.message/${encodeURIComponent(message.id)}`;
    const headers = bearerHeader(accessToken);
    return post({ method: 'PUT', url: endpoint(homeserverUrl, path), headers, json }, context, {
      id: ({ json: answer }) => textAt(answer, 'event_id'),
      explanation: ({ json: answer }) => textAt(answer, 'error'),
      retryAfterMs: waitOf,
    });
  },
};

/** Returns the wait of homeservers that do not send `Retry-After` yet. */
function waitOf({ json }: Answer): number | null {
  const ms = (json as { retry_after_ms?: unknown } | null | undefined)?.retry_after_ms;
  return typeof ms === 'number' ? secondsToWait(ms / 1_000) : null;
}
