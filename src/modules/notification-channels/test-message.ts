import { type MessageFacts } from '../../channels/message.js';

/** What a test message says about its channel and team. */
export interface TestedChannel {
  name: string;
  teamName: string;
}

/** Returns the facts of a test message: an outage of a monitor that does not exist, or its end. */
export function testFacts(
  ids: { id: string; alertKey: string },
  { name, teamName }: TestedChannel,
  kind: 'trigger' | 'resolve',
  { startedAt, now }: { startedAt: Date; now: Date },
): MessageFacts {
  return {
    ...ids,
    kind,
    event: 'down',
    impact: 'down',
    isTest: true,
    isDrill: false,
    at: now.toISOString(),
    teamName,
    topic: null,
    reason: null,
    startedAt: startedAt.toISOString(),
    resolvedAt: kind === 'resolve' ? now.toISOString() : null,
    expiresAt: null,
    location: null,
    monitors: [
      {
        id: '00000000-0000-0000-0000-000000000000',
        name: 'Example monitor',
        target: 'https://example.com/',
        tags: [],
        runbookUrl: null,
        locations: [],
        recovered: kind === 'resolve',
      },
    ],
    moreMonitors: 0,
    moreRecovered: 0,
    isWidespread: false,
    isStorm: false,
    incident: null,
    links: { incident: null, monitor: null, acknowledge: null, runbook: null },
    note: `It was sent to test the notification channel "${name}". Nothing is down.`,
    timeZone: 'UTC',
  };
}
