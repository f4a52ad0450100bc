import { type ChannelDefinition, type Delivery } from '../../src/channels/channel.js';
import { deliver, type DeliveryMeans } from '../../src/channels/deliver.js';
import { type Message, type MessageFacts, type MessageMonitor } from '../../src/channels/message.js';
import { composeMessage } from '../../src/channels/wording.js';
import { testEgress } from './probe-run.js';

/** A name that contains what the markups of all chats give a meaning to. */
export const MARKUP =
  '</b>&amp; *a* _b_ ~c~ `d` ```e``` ||f|| @everyone <!channel> <@U1> @**all** [g](https://evil.example) :fire: \u202eh';

export function monitorOf(changes: Partial<MessageMonitor> = {}): MessageMonitor {
  return {
    id: '0198f3a2-0000-7000-8000-000000000001',
    name: 'Checkout API',
    target: 'https://shop.example/checkout',
    tags: ['production', 'region:eu'],
    runbookUrl: null,
    locations: [],
    recovered: false,
    ...changes,
  };
}

/** Facts of a monitor that answers with 503 since 15:58 UTC. */
export function factsOf(changes: Partial<MessageFacts> = {}): MessageFacts {
  return {
    id: '0198f3a2-1111-7000-8000-000000000001',
    alertKey: '0198f3a2-2222-7000-8000-000000000001-1',
    kind: 'trigger',
    event: 'down',
    impact: 'down',
    isTest: false,
    isDrill: false,
    at: '2026-01-15T15:59:00.000Z',
    teamName: 'Shop',
    topic: null,
    reason: {
      code: 'unexpected_status',
      message: 'The response has status 503; expected 2xx.',
      statusCode: 503,
      failedAssertion: null,
    },
    startedAt: '2026-01-15T15:58:00.000Z',
    resolvedAt: null,
    expiresAt: null,
    location: 'default',
    monitors: [monitorOf()],
    moreMonitors: 0,
    moreRecovered: 0,
    isWidespread: false,
    isStorm: false,
    incident: { id: '0198f3a2-2222-7000-8000-000000000001', title: 'Checkout API is down' },
    links: {
      incident: 'https://daywatch.example/incidents/0198f3a2-2222-7000-8000-000000000001',
      monitor: 'https://daywatch.example/monitors/0198f3a2-0000-7000-8000-000000000001',
      acknowledge: 'https://daywatch.example/ack/AbC-123_x',
      runbook: 'https://wiki.example/runbook?page=checkout',
    },
    note: null,
    timeZone: 'UTC',
    ...changes,
  };
}

export function messageOf(changes: Partial<MessageFacts> = {}): Message {
  return composeMessage(factsOf(changes));
}

export function resolveOf(changes: Partial<MessageFacts> = {}): Message {
  const resolvedAt = '2026-01-15T16:16:00.000Z';
  return messageOf({ kind: 'resolve', resolvedAt, at: '2026-01-15T16:16:10.000Z', reason: null, ...changes });
}

/** Returns a message about so many monitors that no channel can name them all. */
export function stormOf(
  count = 40,
  name = 'Service with a rather long name, so that lists exceed the limits',
): Message {
  const monitors = Array.from({ length: count }, (_, index) => {
    return monitorOf({ id: `0198f3a2-0000-7000-8000-${String(index).padStart(12, '0')}`, name: `${name} ${index}` });
  });
  return messageOf({ monitors, moreMonitors: 7, isWidespread: true });
}

/** Messages that each channel must be able to send. */
export const MESSAGES: Readonly<Record<string, Message>> = {
  trigger: messageOf(),
  repeat: messageOf({ kind: 'repeat' }),
  acknowledgement: messageOf({ kind: 'acknowledged', note: 'Ada Lovelace acknowledged this until 16:58 UTC.' }),
  resolve: resolveOf(),
  correction: messageOf({ kind: 'correction' }),
  'late notice': messageOf({ kind: 'notice', resolvedAt: '2026-01-15T16:16:00.000Z' }),
  'expiring certificate': messageOf({
    kind: 'notice',
    event: 'certificate_expiring',
    impact: 'none',
    startedAt: null,
    reason: null,
    expiresAt: '2026-01-29T12:00:00.000Z',
  }),
  storm: stormOf(),
  'long names': stormOf(40, 'ü😀'.repeat(150)),
  markup: messageOf({
    monitors: [monitorOf({ name: MARKUP })],
    note: MARKUP,
    teamName: MARKUP,
    incident: { id: '1', title: MARKUP },
  }),
  test: messageOf({ isTest: true }),
  bare: messageOf({
    reason: null,
    startedAt: null,
    location: null,
    monitors: [],
    incident: null,
    links: { incident: null, monitor: null, acknowledge: null, runbook: null },
  }),
};

/** Sends a message through a channel, from where loopback addresses are allowed. */
export function sendBy<F extends object>(
  channel: ChannelDefinition<F>,
  fields: F,
  message: Message = messageOf(),
  means: Partial<DeliveryMeans> = {},
): Promise<Delivery> {
  return deliver(channel, message, fields, { egress: testEgress(), mail: null, timeoutMs: 10_000, ...means });
}
