import { ArrayMaxSize, ArrayNotEmpty, IsArray, IsString, Matches, MaxLength } from 'class-validator';
import { webAddressProblem } from '../probes/host.rules.js';
import { MayBeLeftOut, Rule } from '../probes/rule.decorator.js';
import { type ChannelContext, type ChannelDefinition, type Delivery } from './channel.js';
import { bearerHeader, endpoint, hostAt, originOf, secretField, TOKEN } from './fields/addresses.js';
import { type Message, type MessageEvent } from './message.js';
import { post } from './net/post.js';
import { outlineOf, plainLines } from './outline.js';
import { isOver, subjectName } from './wording.js';

/** The settings of a channel of type `alertmanager`. */
export class AlertmanagerFields {
  /**
   * Addresses of all instances of the cluster, 1 to 5; each alert is sent to every one of them.
   * @example ["https://alertmanager-0.example.com", "https://alertmanager-1.example.com"]
   */
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(5)
  @IsString({ each: true })
  @MaxLength(2_048, { each: true })
  @Rule('invalid_value', webAddressProblem, 'url', { each: true })
  urls: string[];

  /**
   * Bearer token, if a proxy in front of the instances requires one. Responses contain `"********"` instead; sending that
   * string keeps the stored token.
   * @example "s3cr3t"
   */
  @MayBeLeftOut()
  @IsString()
  @MaxLength(4_096)
  @Matches(TOKEN, { message: 'bearerToken must consist of visible ASCII characters without spaces' })
  bearerToken?: string;
}

/** An alert expires this long after it was last sent, so that it does not outlive this service. */
const LIFETIME_MS = 5 * 60_000;
const REFRESH_SECONDS = 60;

const ALERT_NAMES: Record<MessageEvent, string> = {
  down: 'MonitorDown',
  degraded: 'MonitorDegraded',
  unknown: 'MonitorNotObserved',
  location_offline: 'LocationOffline',
  channel_failing: 'NotificationChannelFailing',
  manual_incident: 'Incident',
  certificate_expiring: 'CertificateExpiring',
  domain_expiring: 'DomainExpiring',
  maintenance: 'Maintenance',
};
/** By event, because labels identify an alert, and the impact of an incident may change. */
const SEVERITIES: Record<MessageEvent, string> = {
  down: 'critical',
  degraded: 'warning',
  unknown: 'warning',
  location_offline: 'warning',
  channel_failing: 'warning',
  manual_incident: 'warning',
  certificate_expiring: 'warning',
  domain_expiring: 'warning',
  maintenance: 'info',
};

/**
 * Sends one alert per incident to every instance. Alertmanager forgets what is not repeated, so the alert is sent again
 * each minute with an end five minutes ahead, and with its real end on recovery. That is repeated too, so that an instance
 * that missed it does not show the alert until it expires.
 * @see https://prometheus.io/docs/alerting/latest/alerts_api/
 * @see https://github.com/prometheus/alertmanager/blob/main/api/v2/openapi.yaml
 */
export const alertmanagerChannel: ChannelDefinition<AlertmanagerFields> = {
  type: 'alertmanager',
  label: 'Alertmanager',
  summary: 'Sends one alert per incident to every instance of a Prometheus Alertmanager, with labels from the tags.',
  audience: 'machines',
  refreshSeconds: REFRESH_SECONDS,
  example: {
    key: 'alertmanager-main',
    name: 'Alertmanager',
    settings: { urls: ['https://alertmanager.example.com'] },
  },
  fields: AlertmanagerFields,
  defaults: {},
  form: {
    gist: 'A Prometheus Alertmanager',
    essential: [
      {
        pointer: '/urls',
        label: 'Instances',
        kind: 'list',
        required: true,
        help: 'Comma-separated URLs of all instances. Each starts with https:// or http://.',
      },
    ],
    advanced: [secretField('/bearerToken', 'Bearer token', 'Only if a proxy requires one.', false)],
  },
  secretPaths: () => [['bearerToken']],
  secretScope: ({ urls }) => urls.map(originOf).sort().join(' '),
  hosts: ({ urls }) => urls.flatMap((url, index) => hostAt(`/urls/${index}`, url)),
  async send(message, { urls, bearerToken }, context) {
    const json = [alertOf(message, Date.now())];
    const headers = bearerHeader(bearerToken);
    return summary(await Promise.all(urls.map((url) => sendTo(url, headers, json, context))));
  },
};

function sendTo(
  url: string,
  headers: Record<string, string>,
  json: unknown,
  context: ChannelContext,
): Promise<Delivery> {
  return post({ url: endpoint(url, '/api/v2/alerts'), headers, json }, context, {
    // The answer to an invalid alert is a JSON string.
    explanation: ({ json: answer }) => (typeof answer === 'string' ? answer : null),
  });
}

/** Returns what became of an alert: one instance that has it is enough, because the others get it with the next repetition. */
function summary(deliveries: readonly Delivery[]): Delivery {
  const [first] = deliveries;
  const best = deliveries.find((one) => one.status === 'sent') ?? deliveries.find((one) => !isPermanent(one)) ?? first!;
  if (best.status === 'sent' || deliveries.length === 1) return best;
  return { ...best, error: `No instance accepted the alert. ${best.error}` };
}

function isPermanent(delivery: Delivery): boolean {
  return delivery.status === 'failed' && delivery.permanent;
}

function alertOf(message: Message, nowMs: number): object {
  const startsAt = message.startedAt ?? message.at;
  const hasEnded = isOver(message) || message.kind === 'correction';
  const end = hasEnded ? Date.parse(message.resolvedAt ?? message.at) : nowMs + LIFETIME_MS;
  const outline = outlineOf(message);
  const { runbook, incident, monitor } = message.links;
  return {
    labels: labelsOf(message),
    annotations: {
      summary: message.subject,
      description: plainLines({ ...outline, links: [] }).join('\n'),
      ...(runbook !== null && { runbook_url: runbook }),
    },
    startsAt,
    // An alert that ends before it starts is refused.
    endsAt: new Date(Math.max(end, Date.parse(startsAt) + 1)).toISOString(),
    ...((incident ?? monitor) !== null && { generatorURL: incident ?? monitor }),
  };
}

/**
 * Returns the labels, which identify the alert. Names and tags are among them, because people route by them, although
 * they may change while the alert is open: then Alertmanager gets a new alert, and the old one expires. A tag
 * `name:value` becomes a label; any other tag becomes a label `tag_…` with the value `true`.
 */
function labelsOf(message: Message): Record<string, string> {
  // The monitors of a storm alert come and go.
  if (message.isStorm) return { alertname: 'AlertStorm', ...commonLabels(message) };
  const [root] = message.monitors;
  const labels: Record<string, string> = {};
  for (const tag of root?.tags ?? []) {
    const [, name, value] = /^([a-z_]\w*):(.+)$/i.exec(tag) ?? [];
    if (name !== undefined && value !== undefined) labels[name] = value;
    else labels[`tag_${tag.replace(/\W/g, '_')}`] = 'true';
  }
  return {
    ...labels,
    alertname: ALERT_NAMES[message.event],
    ...commonLabels(message),
    ...(root ? { monitor: root.name, monitor_id: root.id } : { subject: subjectName(message) }),
  };
}

function commonLabels({ alertKey, event, teamName, isTest, isDrill }: Message): Record<string, string> {
  return {
    alert_key: alertKey,
    severity: SEVERITIES[event],
    team: teamName,
    ...(isTest && { test: 'true' }),
    ...(isDrill && { drill: 'true' }),
  };
}
