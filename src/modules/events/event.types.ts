import { type Scope } from '../../http/auth/principal.js';

/** What events are about. */
export const RESOURCE_TYPES = [
  'monitor',
  'incident',
  'maintenance_window',
  'certificate',
  'domain',
  'location',
  'notification_channel',
  'notification_policy',
  'silence',
  'status_page',
  'subscriber',
  'exclusion',
  'api_key',
  'ping_key',
  'team',
  'member',
  'invitation',
] as const;
export type ResourceType = (typeof RESOURCE_TYPES)[number];

/** All types of events, with what each one reports. The list may grow. */
export const EVENT_TYPES = {
  'monitor.down': 'A monitor is confirmed down.',
  'monitor.up': 'A monitor is confirmed up.',
  'monitor.degraded': 'A monitor is confirmed degraded.',
  'monitor.unknown': 'A monitor has had no data for five minutes.',
  'heartbeat.unreported': 'Heartbeat monitors have never had a report. Recorded at most once a day.',
  'certificate.expiring': 'A certificate presented to a monitor expires soon.',
  'domain.expiring': 'The registration of a domain expires soon.',
  'checking.interrupted':
    'Checks were interrupted: the service was not running or had no network, or a location had no worker or disagreed with the others.',
  'checking.resumed': 'The service has resumed checking.',
  'monitor.created': 'A monitor was created.',
  'monitor.updated': 'The definition of a monitor was changed.',
  'monitor.paused': 'A monitor was paused.',
  'monitor.resumed': 'A monitor was resumed.',
  'monitor.deleted': 'A monitor was deleted.',
  'incident.opened': 'An incident was opened.',
  'incident.updated': 'An incident was changed, was corrected by a late result, or received an update.',
  'incident.acknowledged': 'Someone acknowledged an incident.',
  'incident.unacknowledged': 'Someone withdrew the acknowledgement of an incident.',
  'incident.resolved': 'An incident was resolved.',
  'incident.reopened': 'A late result or a caller reopened a resolved incident.',
  'incident.retracted': 'A late result shows that there was no outage.',
  'maintenance_window.created': 'A maintenance window was created.',
  'maintenance_window.updated': 'A maintenance window was changed.',
  'maintenance_window.deleted': 'A maintenance window was deleted.',
  'maintenance.started': 'A maintenance window has begun.',
  'maintenance.ended': 'A maintenance window has ended.',
  'notification_channel.created': 'A notification channel was created.',
  'notification_channel.updated': 'A notification channel was changed.',
  'notification_channel.rotated': 'A notification channel has a new secret.',
  'notification_channel.deleted': 'A notification channel was deleted.',
  'channel.failing': 'A notification channel no longer works.',
  'channel.recovered': 'A notification channel works again.',
  'notification_policy.created': 'A notification policy was created.',
  'notification_policy.updated': 'A notification policy was changed.',
  'notification_policy.deleted': 'A notification policy was deleted.',
  'silence.created': 'A silence was created.',
  'silence.deleted': 'A silence was ended early.',
  'status_page.created': 'A status page was created.',
  'status_page.updated': 'A status page was changed.',
  'status_page.deleted': 'A status page was deleted.',
  'status_page.subscribers_imported': 'Subscribers of a status page were imported.',
  'subscriber.created': 'A subscriber was added to a status page, or confirmed their address.',
  'subscriber.updated':
    'A subscriber chose other components of a status page, or their webhook became active, ended or was removed.',
  'subscriber.bounced': 'An email to a subscriber of a status page bounced. Nothing more is sent to them.',
  'subscriber.complained': 'A subscriber of a status page reported an email as spam. Nothing more is sent to them.',
  'subscriber.deleted': 'A subscriber left a status page or was removed. Their address was erased.',
  'exclusion.created': 'Time was excluded from uptime.',
  'exclusion.deleted': 'An exclusion was deleted, so its time counts again.',
  'api_key.created': 'An API key was created.',
  'api_key.updated': 'An API key was changed.',
  'api_key.rotated': 'An API key has a new secret.',
  'api_key.revoked': 'An API key was revoked.',
  'api_key.expiring': 'An API key expires soon.',
  'ping_key.created': 'A ping key was created.',
  'ping_key.deleted': 'A ping key was deleted.',
  'team.updated': 'The team was renamed.',
  'member.joined': 'A person joined the team.',
  'member.updated': 'The role of a member was changed.',
  'member.removed': 'A person left the team or was removed.',
  'invitation.created': 'A person was invited.',
  'invitation.deleted': 'An invitation was revoked.',
  'session.signed_in': 'A member signed in.',
  'person.password_changed': 'A member changed their password, or set a new one with a reset link.',
} as const;
export type EventType = keyof typeof EVENT_TYPES;
export const EVENT_TYPE_NAMES = Object.keys(EVENT_TYPES) as EventType[];

/** The events from which notifications may follow. */
export const NOTIFYING: readonly EventType[] = [
  'monitor.down',
  'monitor.up',
  'monitor.degraded',
  'monitor.unknown',
  'heartbeat.unreported',
  'monitor.updated',
  'monitor.paused',
  'monitor.resumed',
  'monitor.deleted',
  'incident.opened',
  'incident.updated',
  'incident.acknowledged',
  'incident.unacknowledged',
  'incident.resolved',
  'incident.reopened',
  'incident.retracted',
  'maintenance.started',
  'maintenance.ended',
  'certificate.expiring',
  'domain.expiring',
  'channel.failing',
  'channel.recovered',
  'checking.interrupted',
  'checking.resumed',
  // These change what is planned for the alerts that are open.
  'notification_channel.created',
  'notification_channel.updated',
  'notification_channel.deleted',
  'notification_policy.created',
  'notification_policy.updated',
  'notification_policy.deleted',
  'silence.created',
  'silence.deleted',
];

/** The changes of a monitor's state that open or end alerts, or hold them back. */
export const TURNS: ReadonlySet<string> = new Set<EventType>(['monitor.up', 'monitor.degraded', 'monitor.down']);

/**
 * SQL condition: results changed a detected incident. A flapping monitor causes such an event with each outage, and each
 * states all facts of the incident.
 */
export const IS_CORRECTION = "(type = 'incident.updated' AND actor_type = 'system')";

/** SQL condition: a resource does not have many of these events, however long its monitor flaps. */
export const IS_RARE = `NOT (type IN ('monitor.up', 'monitor.down', 'monitor.degraded', 'monitor.unknown')
  OR ${IS_CORRECTION})`;

/** The channel (`LISTEN`) on which the planner of notifications hears of new events that are marked for it. */
export const UNPLANNED_CHANNEL = 'daywatch_unplanned';

/** What every key may read about. Everything else concerns access, which only `admin` sees. */
const OPERATIONAL: readonly ResourceType[] = [
  'monitor',
  'incident',
  'maintenance_window',
  'certificate',
  'domain',
  'location',
];

/** Returns the types of resources whose events a caller may see; null: all. */
export function visibleTo(scopes: readonly Scope[]): readonly ResourceType[] | null {
  return scopes.includes('admin') ? null : OPERATIONAL;
}
