import { IsString, Length, Matches, MaxLength } from 'class-validator';
import { webAddressProblem } from '../probes/host.rules.js';
import { MayBeLeftOut, Rule } from '../probes/rule.decorator.js';
import { type ChannelDefinition } from './channel.js';
import { apiUrlField, endpoint, hostAt, originOf, secretField, TOKEN } from './fields/addresses.js';
import { detailsOf } from './fields/details.js';
import { type Message, type MessageImpact } from './message.js';
import { type Answer, textAt } from './net/http-client.js';
import { post } from './net/post.js';
import { outlineOf } from './outline.js';
import { cut } from './plain-text.js';
import { isRecord, subjectName } from './wording.js';

/** The settings of a channel of type `pagerduty`. */
export class PagerdutyFields {
  /**
   * Integration key of an "Events API v2" integration. Responses contain `"********"` instead; sending that string keeps
   * the stored key.
   * @example "0123456789abcdef0123456789abcdef"
   */
  @IsString()
  @Matches(/^[A-Za-z\d]{32}$/, { message: 'routingKey must consist of 32 letters and digits' })
  routingKey: string;

  /**
   * Signing secret of a webhook subscription (version 3) of the PagerDuty service. With it, acknowledging an incident in
   * PagerDuty acknowledges it here; without it, webhooks are refused. Responses contain `"********"` instead; sending
   * that string keeps the stored secret.
   * @example "cNhMdZLJOYPXsPEkpaYYeHxyoM40MEKl"
   */
  @MayBeLeftOut()
  @IsString()
  @Length(16, 255)
  @Matches(TOKEN, { message: 'webhookSecret must consist of visible ASCII characters without spaces' })
  webhookSecret?: string;

  /**
   * Base address of the Events API; `https://events.eu.pagerduty.com` for accounts in the EU.
   * @example "https://events.pagerduty.com"
   */
  @MayBeLeftOut()
  @IsString()
  @MaxLength(2_048)
  @Rule('invalid_value', webAddressProblem, 'url')
  apiUrl?: string;
}

const API_URL = 'https://events.pagerduty.com';
const MAX_SUMMARY = 1_024;
const MAX_SOURCE = 255;
const MAX_KEY = 255;
const SEVERITIES: Record<MessageImpact, string> = {
  down: 'critical',
  degraded: 'warning',
  unknown: 'error',
  none: 'info',
};
const ACTIONS = {
  trigger: 'trigger',
  repeat: 'trigger',
  notice: 'trigger',
  acknowledged: 'acknowledge',
  resolve: 'resolve',
  correction: 'resolve',
} as const;

/**
 * Triggers, acknowledges and resolves one alert per incident, and per certificate or domain that expires. Maintenance, and
 * what is over before PagerDuty heard of it, is recorded as a change, which pages nobody and is never open.
 * @see https://developer.pagerduty.com/docs/events-api-v2/trigger-events/
 * @see https://developer.pagerduty.com/docs/events-api-v2/send-change-events/
 */
export const pagerdutyChannel: ChannelDefinition<PagerdutyFields> = {
  type: 'pagerduty',
  label: 'PagerDuty',
  summary: 'Triggers, acknowledges and resolves one PagerDuty alert per incident (Events API v2).',
  audience: 'machines',
  example: {
    key: 'pagerduty-primary',
    name: 'PagerDuty primary',
    settings: { routingKey: '0123456789abcdef0123456789abcdef' },
  },
  fields: PagerdutyFields,
  defaults: { apiUrl: API_URL },
  form: {
    gist: 'A PagerDuty service',
    essential: [
      secretField('/routingKey', 'Integration key', 'Add an integration "Events API V2" to a PagerDuty service.'),
    ],
    advanced: [
      secretField(
        '/webhookSecret',
        'Webhook signing secret',
        'Optional, to acknowledge incidents from PagerDuty: add a “Generic Webhooks (v3)” subscription there, with the URL of this service followed by /provider-webhooks/pagerduty/ and the ID of this channel.',
        false,
      ),
      apiUrlField('https://events.eu.pagerduty.com for accounts in the EU.'),
    ],
  },
  secretPaths: () => [['routingKey'], ['webhookSecret']],
  secretScope: ({ apiUrl = API_URL }) => originOf(apiUrl),
  hosts: ({ apiUrl = API_URL }) => hostAt('/apiUrl', apiUrl),
  send(message, { routingKey, apiUrl = API_URL }, context) {
    const isChange = message.kind === 'notice' && isRecord(message);
    const json = isChange ? changeOf(message, routingKey) : alertOf(message, routingKey);
    const url = endpoint(apiUrl, isChange ? '/v2/change/enqueue' : '/v2/enqueue');
    return post({ url, json }, context, {
      id: ({ json: answer }) => textAt(answer, 'dedup_key'),
      explanation: explanationOf,
    });
  },
};

function alertOf(message: Message, routingKey: string): object {
  const action = ACTIONS[message.kind];
  const known = { routing_key: routingKey, event_action: action, dedup_key: message.alertKey.slice(0, MAX_KEY) };
  if (action !== 'trigger') return known;
  return {
    ...known,
    client: 'Daywatch',
    ...(message.links.incident !== null && { client_url: message.links.incident }),
    links: linksOf(message),
    payload: {
      summary: cut(message.subject, MAX_SUMMARY),
      source: cut(message.monitors[0]?.target ?? subjectName(message), MAX_SOURCE),
      severity: SEVERITIES[message.impact],
      timestamp: message.startedAt ?? message.at,
      component: subjectName(message),
      group: message.teamName,
      class: message.event,
      custom_details: detailsOf(message),
    },
  };
}

function changeOf(message: Message, routingKey: string): object {
  return {
    routing_key: routingKey,
    links: linksOf(message),
    payload: {
      summary: cut(message.subject, MAX_SUMMARY),
      source: 'Daywatch',
      timestamp: message.resolvedAt ?? message.at,
      custom_details: detailsOf(message),
    },
  };
}

function linksOf(message: Message): object[] {
  return outlineOf(message).links.map(({ label, url }) => ({ href: url, text: label }));
}

function explanationOf({ json }: Answer): string | null {
  return textAt(json, 'errors', '0') ?? textAt(json, 'message');
}
