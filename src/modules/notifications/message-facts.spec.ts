import { describe, expect, it } from '@jest/globals';
import { urgencyOf } from '../../channels/urgency.js';
import { composeMessage, sentencesOf } from '../../channels/wording.js';
import { collect } from '../../domain/notification-plan/collect.js';
import { type MessageMember, messageFacts } from './message-facts.js';

const NOW = '2026-01-15T16:10:00.000Z';
const context = {
  ...{ id: 'm', nowMs: Date.parse(NOW), teamName: 'Team', origin: 'https://daywatch.example', isWidespread: false },
  ...{ acknowledgeLink: 'https://daywatch.example/ack/t', stormKey: null },
};
const STATUS_503 = { errorCode: 'unexpected_status', message: 'The server answered with status 503.' };
const REFUSED = { errorCode: 'connect_refused', message: 'The connection was refused.' };

type Changes = Partial<Omit<MessageMember, 'subject'>> & { subject?: Partial<MessageMember['subject']> };

/** An outage of a monitor of this name, which began at 15:58. */
function member(name: string, { subject, ...changes }: Changes = {}): MessageMember {
  const monitor = { id: name, name, type: 'http', target: 'https://shop.example/', tags: [], runbookUrl: null };
  const isOver = changes.kind === 'resolve' || changes.kind === 'correction';
  return {
    ...{ kind: 'trigger', event: 'down', alertKey: `${name}/1`, isDrill: false, incidentId: name, note: null },
    ...{ endedAt: isOver ? NOW : null, failedChannels: [], evidence: { statusCode: 503, failedAssertion: null } },
    monitors: [{ ...monitor, locations: [] }],
    ...changes,
    subject: {
      ...{ title: `${name} title`, startedAt: '2026-01-15T15:58:00.000Z', resolvedAt: isOver ? NOW : null },
      ...{ expiresAt: null, cause: STATUS_503, impact: 'down', detail: null },
      ...{ acknowledgedBy: null, acknowledgedUntil: null },
      ...subject,
    },
  };
}

/** Returns the messages in which people are sent what is due at the same time. */
function messagesOf(members: readonly MessageMember[]) {
  const pending = members.map(({ event, kind, note, alertKey }, index) => {
    return { key: String(index), subjectId: alertKey, event, kind, note, dueAt: index };
  });
  const { messages } = collect(100, null, pending);
  return messages.map((keys) =>
    composeMessage(
      messageFacts(
        keys.map((key) => members[Number(key)]!),
        context,
      ),
    ),
  );
}

const certificate = (name: string, expiresAt: string): MessageMember =>
  member(name, {
    ...{ kind: 'notice', event: 'certificate_expiring', incidentId: null },
    subject: { expiresAt, startedAt: null, cause: null, impact: 'none' },
  });
const resolve = (name: string, changes: Changes = {}) => member(name, { kind: 'resolve', ...changes });

describe('what is due at the same time is reported to people', () => {
  it.each<[string, MessageMember[], string[]]>([
    [
      'if a monitor is degraded and another is down',
      [member('B', { event: 'degraded', incidentId: null }), member('A')],
      ['normal DEGRADED B since 15:58 UTC', 'high DOWN A: status 503 since 15:58 UTC'],
    ],
    [
      'if a location is offline and a monitor is down',
      [
        member('X', { event: 'location_offline', monitors: [], subject: { title: 'Tokyo', impact: 'none' } }),
        member('A'),
      ],
      ['high DOWN A: status 503 since 15:58 UTC', 'low LOCATION OFFLINE Tokyo since 15:58 UTC'],
    ],
    [
      'if a channel fails and a monitor is down',
      [member('X', { event: 'channel_failing', monitors: [], subject: { title: 'Ops', impact: 'none' } }), member('A')],
      ['high DOWN A: status 503 since 15:58 UTC', 'low CHANNEL FAILING Ops since 15:58 UTC'],
    ],
    [
      'if a monitor recovers and someone acknowledges that another is down',
      [resolve('A'), member('B', { kind: 'acknowledged', subject: { acknowledgedBy: 'Ada' } })],
      ['low UP A: was down for 12 min (15:58–16:10 UTC)', 'low ACKNOWLEDGED B: down since 15:58 UTC'],
    ],
    [
      'if a monitor is down and a certificate expires',
      [member('A'), certificate('C', '2026-01-22T16:10:00.000Z')],
      ['high DOWN A: status 503 since 15:58 UTC', 'low CERTIFICATE EXPIRING C: in 7 days, on 22 Jan 2026, 16:10 UTC'],
    ],
    [
      'if two certificates expire',
      [certificate('C', '2026-01-22T16:10:00.000Z'), certificate('D', '2026-01-29T16:10:00.000Z')],
      [
        'low CERTIFICATE EXPIRING C: in 7 days, on 22 Jan 2026, 16:10 UTC',
        'low CERTIFICATE EXPIRING D: in 14 days, on 29 Jan 2026, 16:10 UTC',
      ],
    ],
    [
      'if two incidents are reported',
      [member('A', { event: 'manual_incident' }), member('B', { event: 'manual_incident' })],
      ['high INCIDENT A title since 15:58 UTC', 'high INCIDENT B title since 15:58 UTC'],
    ],
    [
      'if an outage is retracted and another ends',
      [member('A', { kind: 'correction' }), resolve('B')],
      ['low CORRECTION A: was not down at 15:58 UTC', 'low UP B: was down for 12 min (15:58–16:10 UTC)'],
    ],
    [
      'if monitors recover and others are down, which come first',
      [resolve('C'), member('A', { kind: 'repeat' }), member('B'), resolve('D')],
      ['high STILL DOWN A and 1 more monitor, UP C and 1 more monitor: status 503 since 15:58 UTC'],
    ],
    [
      'if monitors are down for different reasons, of which none is named',
      [member('A'), member('B', { subject: { cause: REFUSED } })],
      ['high DOWN A and 1 more monitor since 15:58 UTC'],
    ],
    [
      'if an outage of an attempted message has ended since',
      [member('A', { endedAt: NOW, subject: { resolvedAt: NOW } }), member('B')],
      ['high DOWN B, UP A: status 503 since 15:58 UTC'],
    ],
    [
      'if a monitor recovers and another is paused',
      [resolve('A'), resolve('B', { note: 'paused' })],
      ['low UP A: was down for 12 min (15:58–16:10 UTC)', 'low UP B: was down for 12 min (15:58–16:10 UTC)'],
    ],
  ])('%s', (_, members, expected) => {
    expect(messagesOf(members).map((message) => `${urgencyOf(message)} ${message.subject}`)).toEqual(expected);
  });

  it('in one message, which names some and counts all, however many monitors are down', () => {
    const members = Array.from({ length: 40 }, (_, index) => member(`m${index}`));
    const [message, ...others] = messagesOf([...members, resolve('r')]);
    expect(others).toEqual([]);
    expect(message!.subject).toBe('DOWN m0 and 39 more monitors, UP 1 monitor: status 503 since 15:58 UTC');
  });

  it.each<[string, MessageMember[], string[]]>([
    [
      'everyone who acknowledged an outage',
      ['Ada', 'Ada', 'Bob'].map((acknowledgedBy, index) =>
        member(`m${index}`, { kind: 'acknowledged', subject: { acknowledgedBy } }),
      ),
      ['Acknowledged by Ada and Bob.'],
    ],
    [
      'how several alerts ended',
      [resolve('A', { note: 'deleted' }), resolve('B', { note: 'deleted' })],
      ['The monitors were deleted.'],
    ],
    [
      'each channel that failed',
      [member('A'), member('B', { failedChannels: ['Ops'] }), member('C', { failedChannels: ['Ops', 'Pager'] })],
      ['You are notified because the notification channels "Ops" and "Pager" failed.'],
    ],
  ])('with %s', (_, members, sentences) => {
    expect(messagesOf(members).map(sentencesOf)).toEqual([sentences]);
  });

  it('with the links of the monitor that is named first', () => {
    const [message] = messagesOf([resolve('B'), member('A')]);
    expect(message!.links).toMatchObject({
      incident: 'https://daywatch.example/incidents/A',
      monitor: 'https://daywatch.example/monitors/A',
    });
  });
});
