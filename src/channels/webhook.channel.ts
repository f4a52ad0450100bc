import { IsISO8601, IsObject, IsString, MaxLength } from 'class-validator';
import { webAddressProblem } from '../probes/host.rules.js';
import {
  headerLengths,
  headerNames,
  headersCount,
  headersShape,
  headerValues,
} from '../probes/http/http-fields.rules.js';
import { MayBeLeftOut, Rule } from '../probes/rule.decorator.js';
import { type ChannelDefinition } from './channel.js';
import { hostAt, originOf, secretField } from './fields/addresses.js';
import { type Message } from './message.js';
import { post } from './net/post.js';
import { newSecret, secretProblem, signatureHeaders } from './webhook/signature.js';

/** Headers that the channel sets itself, so that a receiver can rely on them. */
const OWN_HEADERS = /^(?:webhook-.*|content-type|host|user-agent)$/i;

/** The settings of a channel of type `webhook`. */
export class WebhookFields {
  /**
   * Address that receives the notifications, at most 2,048 characters.
   * @example "https://example.com/daywatch"
   */
  @IsString()
  @MaxLength(2_048)
  @Rule('invalid_value', webAddressProblem, 'url')
  url: string;

  /**
   * Further request headers, at most 50. Responses contain `"********"` instead of their values, because they usually
   * authenticate; sending that string keeps the stored value.
   * @example { "Authorization": "Bearer s3cr3t" }
   */
  @MayBeLeftOut()
  @IsObject()
  @Rule('invalid_type', headersShape, 'headersShape')
  @Rule('out_of_range', headersCount, 'headersCount')
  @Rule('invalid_value', headerNames, 'headerNames')
  @Rule('invalid_value', ownHeaders, 'ownHeaders')
  @Rule('invalid_value', headerValues, 'headerValues')
  @Rule('too_long', headerLengths, 'headerLengths')
  headers?: Record<string, string>;

  /**
   * Secret that signs the requests: `whsec_` followed by 24 to 64 random bytes in Base64. By default, one is generated.
   * Responses contain `"********"` instead; sending that string keeps the stored secret.
   * @example "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
   */
  @MayBeLeftOut()
  @IsString()
  @Rule('invalid_value', secretProblem, 'webhookSecret')
  secret?: string;

  /**
   * Secret before the last rotation, which also signs until `previousSecretUntil`. Set by a rotation.
   * @example "whsec_ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA="
   */
  @MayBeLeftOut()
  @IsString()
  @Rule('invalid_value', secretProblem, 'webhookSecret')
  previousSecret?: string;

  /**
   * When the previous secret stops signing (RFC 3339). Set by a rotation.
   * @example "2026-01-02T12:00:00Z"
   */
  @MayBeLeftOut()
  @IsISO8601({ strict: true })
  previousSecretUntil?: string;
}

/**
 * Posts each notification as JSON, signed as Standard Webhooks. Members are only ever added.
 * @see https://www.standardwebhooks.com
 */
export const webhookChannel: ChannelDefinition<WebhookFields> = {
  type: 'webhook',
  label: 'Webhook',
  summary: 'Posts each notification as JSON to your URL, signed according to Standard Webhooks.',
  audience: 'program',
  example: {
    key: 'deploy-bot',
    name: 'Deploy bot',
    settings: { url: 'https://example.com/daywatch', headers: { Authorization: 'Bearer s3cr3t' } },
  },
  fields: WebhookFields,
  defaults: { headers: {} },
  form: {
    gist: 'Your own program',
    essential: [
      { pointer: '/url', label: 'URL', kind: 'text', required: true, help: 'Starts with https:// or http://.' },
    ],
    advanced: [
      {
        pointer: '/headers',
        label: 'Headers',
        kind: 'headers',
        lines: 4,
        help: 'One per line, for example Authorization: Bearer abc. ******** keeps a stored value.',
      },
      {
        ...secretField('/secret', 'Signing secret', 'Starts with whsec_.', false),
        ifEmpty: 'Leave empty to generate one.',
      },
    ],
  },
  generate: () => ({ secret: newSecret() }),
  rotate: ({ secret, ...others }, until) => ({
    ...others,
    secret: newSecret(),
    ...(secret !== undefined && { previousSecret: secret, previousSecretUntil: until.toISOString() }),
  }),
  setByRotation: ['previousSecret', 'previousSecretUntil'],
  secretPaths: ({ headers }) => [
    ['secret'],
    ['previousSecret'],
    ...(typeof headers === 'object' && headers !== null ? Object.keys(headers) : []).map((name) => ['headers', name]),
  ],
  secretScope: ({ url }) => originOf(url),
  hosts: ({ url }) => hostAt('/url', url),
  send(message, fields, context) {
    const text = JSON.stringify(payloadOf(message));
    const headers = {
      ...fields.headers,
      'Content-Type': 'application/json',
      ...signatureHeaders(message.id, text, secretsOf(fields, Date.now()), Date.now()),
    };
    return post({ url: fields.url, headers, text }, context);
  },
};

function secretsOf({ secret, previousSecret, previousSecretUntil }: WebhookFields, nowMs: number): string[] {
  const isValid = previousSecretUntil !== undefined && Date.parse(previousSecretUntil) > nowMs;
  return [secret, isValid ? previousSecret : undefined].filter((one) => one !== undefined);
}

function payloadOf(message: Message): object {
  const { event, kind, at, isTest, isDrill, teamName, timeZone: _, ...others } = message;
  return {
    type: `${event}.${kind}`,
    timestamp: at,
    data: { ...others, event, kind, test: isTest, drill: isDrill, team: teamName },
  };
}

function ownHeaders(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const faulty = Object.keys(value).find((name) => OWN_HEADERS.test(name));
  return faulty === undefined ? null : `must not contain ${faulty}: it is set automatically`;
}
