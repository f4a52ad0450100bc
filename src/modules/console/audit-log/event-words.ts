import { type EventDto } from '../../events/dto/event.dto.js';
import { type EventType, type ResourceType } from '../../events/event.types.js';

/** What each type of event says about its resource. */
const WORDS: Readonly<Record<EventType, string>> = {
  'monitor.down': 'Down',
  'monitor.up': 'Up',
  'monitor.degraded': 'Degraded',
  'monitor.unknown': 'No data',
  'heartbeat.unreported': 'Never had a report',
  'certificate.expiring': 'Expires soon',
  'domain.expiring': 'Expires soon',
  'checking.interrupted': 'Checks interrupted',
  'checking.resumed': 'Checks resumed',
  'monitor.created': 'Created',
  'monitor.updated': 'Changed',
  'monitor.paused': 'Paused',
  'monitor.resumed': 'Resumed',
  'monitor.deleted': 'Deleted',
  'incident.opened': 'Opened',
  'incident.updated': 'Updated',
  'incident.acknowledged': 'Acknowledged',
  'incident.unacknowledged': 'Unacknowledged',
  'incident.resolved': 'Resolved',
  'incident.reopened': 'Reopened',
  'incident.retracted': 'Retracted',
  'maintenance_window.created': 'Created',
  'maintenance_window.updated': 'Changed',
  'maintenance_window.deleted': 'Deleted',
  'maintenance.started': 'Maintenance started',
  'maintenance.ended': 'Maintenance ended',
  'notification_channel.created': 'Created',
  'notification_channel.updated': 'Changed',
  'notification_channel.rotated': 'Rotated',
  'notification_channel.deleted': 'Deleted',
  'channel.failing': 'Failing',
  'channel.recovered': 'Recovered',
  'notification_policy.created': 'Created',
  'notification_policy.updated': 'Changed',
  'notification_policy.deleted': 'Deleted',
  'silence.created': 'Created',
  'silence.deleted': 'Ended',
  'status_page.created': 'Created',
  'status_page.updated': 'Changed',
  'status_page.deleted': 'Deleted',
  'status_page.subscribers_imported': 'Subscribers imported',
  'subscriber.created': 'Subscribed',
  'subscriber.updated': 'Changed',
  'subscriber.bounced': 'Bounced',
  'subscriber.complained': 'Reported spam',
  'subscriber.deleted': 'Removed',
  'exclusion.created': 'Created',
  'exclusion.deleted': 'Deleted',
  'api_key.created': 'Created',
  'api_key.updated': 'Changed',
  'api_key.rotated': 'Rotated',
  'api_key.revoked': 'Revoked',
  'api_key.expiring': 'Expires soon',
  'ping_key.created': 'Created',
  'ping_key.deleted': 'Deleted',
  'team.updated': 'Renamed',
  'member.joined': 'Joined the team',
  'member.updated': 'Role changed',
  'member.removed': 'Removed from the team',
  'invitation.created': 'Created',
  'invitation.deleted': 'Revoked',
  'session.signed_in': 'Signed in',
  'person.password_changed': 'Password changed',
};

/** The names of the types of resources, and where their pages are. */
export const RESOURCES: Readonly<Record<ResourceType, { label: string; path: string | null }>> = {
  monitor: { label: 'Monitor', path: '/monitors/' },
  incident: { label: 'Incident', path: '/incidents/' },
  maintenance_window: { label: 'Maintenance window', path: '/maintenance/' },
  certificate: { label: 'Certificate', path: null },
  domain: { label: 'Domain', path: null },
  location: { label: 'Location', path: null },
  notification_channel: { label: 'Notification channel', path: null },
  notification_policy: { label: 'Notification policy', path: null },
  silence: { label: 'Silence', path: null },
  status_page: { label: 'Status page', path: '/status-pages/' },
  subscriber: { label: 'Subscriber', path: null },
  exclusion: { label: 'Exclusion', path: null },
  api_key: { label: 'API key', path: null },
  ping_key: { label: 'Ping key', path: null },
  team: { label: 'Team', path: null },
  member: { label: 'Member', path: null },
  invitation: { label: 'Invitation', path: null },
};

/** Returns what happened, in one or two words. */
export function eventWords({ type }: EventDto): string {
  return (WORDS as Readonly<Record<string, string | undefined>>)[type] ?? type;
}

/** Returns the page of the resource of an event; null if it has none, or none any more. */
export function pathOfResource({ type, resource }: EventDto): string | null {
  const { path } = RESOURCES[resource.type];
  return path === null || type.endsWith('.deleted') ? null : path + resource.id;
}

/** Returns who caused an event. */
export function actorWords({ actor }: EventDto): string {
  if (actor.type === 'system') return 'Daywatch';
  const name = actor.name ?? 'unknown';
  return actor.type === 'person' ? name : `${RESOURCES[actor.type].label} ${name}`;
}

/** Returns a value for display, on one line. */
export function valueWords(value: unknown): string {
  if (value === null) return 'none';
  if (typeof value === 'string') return value === '' ? 'empty' : value;
  return JSON.stringify(value);
}
