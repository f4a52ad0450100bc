import { IsString, MaxLength } from 'class-validator';
import { webAddressProblem } from '../../probes/host.rules.js';
import { Rule } from '../../probes/rule.decorator.js';
import { type ChannelDefinition } from '../channel.js';
import { hostAt, originOf, secretField } from '../fields/addresses.js';
import { type Message } from '../message.js';
import { type AnswerReader, post } from '../net/post.js';

/** The settings of a chat that is reached by the address of an incoming webhook, which contains the credentials. */
export class IncomingWebhookFields {
  /**
   * Address of the incoming webhook, at most 2,048 characters. Responses contain `"********"` instead, because whoever
   * knows it can post; sending that string keeps the stored address.
   * @example "https://chat.example.com/hooks/abc123"
   */
  @IsString()
  @MaxLength(2_048)
  @Rule('invalid_value', webAddressProblem, 'url')
  url: string;
}

/** What distinguishes such a chat from the others. */
interface IncomingWebhook<F extends IncomingWebhookFields> {
  type: string;
  label: string;
  summary: string;
  gist: string;
  /** Says where people find the address. */
  help: string;
  example: { key: string; name: string; settings: F };
  fields: new () => F;
  /** Returns the JSON to post. */
  payload: (message: Message) => unknown;
  /** Returns where to post it; by default the address as it is. */
  address?: (url: string, message: Message) => string;
  reader: AnswerReader;
}

/** Defines a channel that posts JSON to an incoming webhook. */
export function incomingWebhook<F extends IncomingWebhookFields>(chat: IncomingWebhook<F>): ChannelDefinition<F> {
  const { type, label, summary, example, fields, payload, reader, address = (url: string) => url } = chat;
  return {
    type,
    label,
    summary,
    audience: 'people',
    example,
    fields,
    defaults: {},
    form: { gist: chat.gist, essential: [secretField('/url', 'Webhook URL', chat.help)] },
    secretPaths: () => [['url']],
    secretScope: ({ url }) => originOf(url),
    hosts: ({ url }) => hostAt('/url', url),
    send: (message, { url }, context) => post({ url: address(url, message), json: payload(message) }, context, reader),
  };
}
