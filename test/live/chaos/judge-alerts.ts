import { type OwnCluster } from '../../support/own-cluster.js';
import { type Happened } from './fleet.js';
import { type Message } from './receiver.js';
import { time, type Verdict } from './verdict.js';

/** A fault this long before a message was first sent can be why it is repeated: a claim lasts for a minute. */
const CLAIM_MS = 65_000;

interface StoredNotification {
  id: string;
  channel: string;
  kind: string;
  incidentId: string;
  status: string;
  isStormed: boolean;
}

interface StoredIncident {
  id: string;
  kind: string;
  isResolved: boolean;
  /** The number of its latest alert; null if it has none. */
  lastEpisode: number | null;
}

/** Compares the messages that a receiver got with the incidents and with what the service believes to have sent. */
export async function judgeAlerts(
  cluster: OwnCluster,
  messages: readonly Message[],
  written: ReadonlyMap<string, { isResolved: boolean }>,
  channels: readonly string[],
  happened: readonly Happened[],
  verdict: Verdict,
): Promise<void> {
  const notifications = await cluster.query<StoredNotification>(
    `SELECT coalesce(n.message_id, n.id) AS id, c.key AS channel, n.kind, n.incident_id AS "incidentId", n.status,
       n.storm_key IS NOT NULL AS "isStormed"
     FROM notifications n JOIN notification_channels c ON c.id = n.channel_id WHERE n.incident_id IS NOT NULL`,
  );
  const incidents = await cluster.query<StoredIncident>(
    `SELECT id, kind, resolved_at IS NOT NULL AS "isResolved",
       (SELECT max(split_part(t.alert_key, '/', 2)::int) FROM notification_timers t WHERE t.subject_id = i.id) AS "lastEpisode"
     FROM incidents i`,
  );
  verdict.note('incidents: written, detected', `${written.size}, ${incidents.filter(isDetected).length}`);
  verdict.note('messages, and repetitions with the same id', describe(messages));
  const received = new Set(messages.filter(({ isAcknowledged }) => isAcknowledged).map(({ id }) => id));
  for (const { id, channel, kind, incidentId, status, isStormed } of notifications) {
    if (status === 'sent' && !isStormed && !received.has(id))
      verdict.find(
        'lost_alert',
        `the ${kind} of ${incidentId} to ${channel} counts as sent, but its receiver has not accepted it`,
      );
    if (status === 'failed') verdict.find('lost_alert', `the ${kind} of ${incidentId} to ${channel} was given up`);
  }
  const has = (incidentId: string, channel: string, kind: string): boolean =>
    notifications.some((one) => one.incidentId === incidentId && one.channel === channel && one.kind === kind);
  for (const channel of channels) {
    for (const [id, { isResolved }] of written) {
      const isTold = has(id, channel, 'trigger') || has(id, channel, 'resolve');
      if (!isTold || (isResolved && !has(id, channel, 'resolve')))
        verdict.find('lost_alert', `the written incident ${id}: ${channel} was not notified`);
    }
    for (const { id } of incidents.filter(isDetected)) {
      if (!notifications.some((one) => one.incidentId === id && one.channel === channel))
        verdict.find('lost_alert', `the detected incident ${id}: ${channel} was not notified`);
    }
  }
  judgeMessages(messages, new Map(incidents.map((one) => [one.id, one])), verdict);
  judgeRepetitions(messages, happened, verdict);
}

function judgeMessages(
  messages: readonly Message[],
  incidents: ReadonlyMap<string, StoredIncident>,
  verdict: Verdict,
): void {
  const ids = new Map<string, Set<string>>();
  for (const { id, channel, alertKey, kind } of messages) {
    const event = `${kind} of ${alertKey} to ${channel}`;
    ids.set(event, (ids.get(event) ?? new Set()).add(id));
    const [incidentId, episode] = alertKey.split('/') as [string, string];
    const incident = incidents.get(incidentId);
    if (!incident) verdict.find('unfounded_alert', `${event}, of which there is no incident`);
    // Results that arrive late may reopen an incident, with which the next episode begins.
    else if (kind === 'resolve' && !incident.isResolved && Number(episode) === incident.lastEpisode)
      verdict.find('unfounded_alert', `${event}, whose incident is open`);
  }
  for (const [event, { size }] of ids)
    if (size > 1) verdict.find('doubled_alert', `the ${event} arrived under ${size} ids`);
}

/** Expects an interruption of a sender or of the database wherever an acknowledged message was sent again. */
function judgeRepetitions(messages: readonly Message[], happened: readonly Happened[], verdict: Verdict): void {
  const explains = happened.filter(({ kind, member }) => kind.startsWith('postgres') || member?.startsWith('notifier'));
  const acknowledgedAt = new Map<string, number>();
  for (const { id, at, isAcknowledged, kind, alertKey } of messages) {
    const before = acknowledgedAt.get(id);
    if (before !== undefined && !explains.some((one) => one.from < at && before - CLAIM_MS < one.to))
      verdict.find('repeated_alert', `the ${kind} of ${alertKey} at ${time(at)}, although it was acknowledged before`);
    if (isAcknowledged) acknowledgedAt.set(id, at);
  }
}

function isDetected({ kind }: { kind: string }): boolean {
  return kind === 'detected';
}

function describe(messages: readonly Message[]): string {
  const distinct = new Set(messages.map(({ id, channel }) => `${id} ${channel}`)).size;
  return `${distinct}, ${messages.length - distinct}`;
}
