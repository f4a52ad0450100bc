import { IsString, Matches, MaxLength } from 'class-validator';
import { webAddressProblem } from '../probes/host.rules.js';
import { MayBeLeftOut, Rule } from '../probes/rule.decorator.js';
import { type ChannelContext, type ChannelDefinition, type Delivery } from './channel.js';
import { apiUrlField, endpoint, hostAt, originOf, secretField, TOKEN } from './fields/addresses.js';
import { detailsOf } from './fields/details.js';
import { type Message, type MessageImpact } from './message.js';
import { textAt } from './net/http-client.js';
import { post } from './net/post.js';
import { outlineOf, plainLines } from './outline.js';
import { cut, fitLines } from './plain-text.js';
import { isRecord, subjectName } from './wording.js';

/** The settings of a channel of type `opsgenie`. */
export class OpsgenieFields {
  /**
   * Key of an API integration. Responses contain `"********"` instead; sending that string keeps the stored key.
   * @example "eb243592-faa2-4ba2-a551-1afdf565c889"
   */
  @IsString()
  @MaxLength(255)
  @Matches(TOKEN, { message: 'apiKey must consist of visible ASCII characters without spaces' })
  apiKey: string;

  /**
   * Base address of the API; `https://api.eu.opsgenie.com` for accounts in the EU.
   * @example "https://api.opsgenie.com"
   */
  @MayBeLeftOut()
  @IsString()
  @MaxLength(2_048)
  @Rule('invalid_value', webAddressProblem, 'url')
  apiUrl?: string;
}

const API_URL = 'https://api.opsgenie.com';
const MAX_MESSAGE = 130;
const MAX_ALIAS = 512;
const MAX_DESCRIPTION = 15_000;
const MAX_ENTITY = 512;
const MAX_TAGS = 20;
const MAX_TAG = 50;
const PRIORITIES: Record<MessageImpact, string> = { down: 'P1', degraded: 'P3', unknown: 'P3', none: 'P4' };

/**
 * Creates, acknowledges and closes one alert per incident, and per certificate or domain that expires, found by its alias.
 * Maintenance, and what is over before Opsgenie heard of it, is created with the lowest priority and closed at once.
 * @see https://docs.opsgenie.com/docs/alert-api
 * @see https://docs.opsgenie.com/docs/response (a status of 202 accepts; 429 limits the rate)
 */
export const opsgenieChannel: ChannelDefinition<OpsgenieFields> = {
  type: 'opsgenie',
  label: 'Opsgenie',
  summary: 'Creates, acknowledges and closes one Opsgenie alert per incident.',
  audience: 'machines',
  example: {
    key: 'opsgenie-primary',
    name: 'Opsgenie primary',
    settings: { apiKey: 'eb243592-faa2-4ba2-a551-1afdf565c889' },
  },
  fields: OpsgenieFields,
  defaults: { apiUrl: API_URL },
  form: {
    gist: 'An Opsgenie team',
    essential: [secretField('/apiKey', 'API key', 'From an API integration of the Opsgenie team.')],
    advanced: [apiUrlField('https://api.eu.opsgenie.com for accounts in the EU.')],
  },
  secretPaths: () => [['apiKey']],
  secretScope: ({ apiUrl = API_URL }) => originOf(apiUrl),
  hosts: ({ apiUrl = API_URL }) => hostAt('/apiUrl', apiUrl),
  async send(message, { apiKey, apiUrl = API_URL }, context) {
    const alias = message.alertKey.slice(0, MAX_ALIAS);
    const base = endpoint(apiUrl, '/v2/alerts');
    const call = (path: string, json: object): Promise<Delivery> => request(base + path, apiKey, json, context);
    const act = (action: string): Promise<Delivery> => {
      const note = cut([message.subject, message.note].filter(Boolean).join('. '), MAX_DESCRIPTION);
      return call(`/${encodeURIComponent(alias)}/${action}?identifierType=alias`, { source: 'Daywatch', note });
    };
    if (message.kind === 'acknowledged') return act('acknowledge');
    if (message.kind === 'resolve' || message.kind === 'correction') return act('close');
    const created = await call('', alertOf(message, alias));
    return created.status === 'sent' && isRecord(message) ? act('close') : created;
  },
};

function request(url: string, apiKey: string, json: object, context: ChannelContext): Promise<Delivery> {
  return post({ url, headers: { Authorization: `GenieKey ${apiKey}` }, json }, context, {
    id: ({ json: answer }) => textAt(answer, 'requestId'),
    explanation: ({ json: answer }) => textAt(answer, 'message'),
  });
}

function alertOf(message: Message, alias: string): object {
  const outline = outlineOf(message);
  const tags = [...new Set(message.monitors.flatMap((one) => one.tags))].slice(0, MAX_TAGS);
  return {
    message: cut(message.subject, MAX_MESSAGE),
    alias,
    description: fitLines([message.subject, ...plainLines(outline)], MAX_DESCRIPTION),
    source: 'Daywatch',
    entity: cut(message.monitors[0]?.target ?? subjectName(message), MAX_ENTITY),
    priority: isRecord(message) ? 'P5' : PRIORITIES[message.impact],
    tags: tags.map((tag) => cut(tag, MAX_TAG)),
    details: detailsOf(message),
  };
}
