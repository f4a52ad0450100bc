import { describe, expect, it } from '@jest/globals';
import { factsOf, MARKUP, messageOf, monitorOf, stormOf } from '../../test/support/channel-messages.js';
import { type MessageFacts } from './message.js';
import { composeMessage, durationText, sentencesOf } from './wording.js';

const OVER = '2026-01-15T16:16:00.000Z';
const three = [monitorOf(), monitorOf({ name: 'Search' }), monitorOf({ name: 'Login' })];

describe('the subject', () => {
  it.each<[string, Partial<MessageFacts>, string]>([
    ['an outage', {}, 'DOWN Checkout API: status 503 since 15:58 UTC'],
    ['an outage without a reason', { reason: null }, 'DOWN Checkout API since 15:58 UTC'],
    [
      'an outage of yesterday',
      { at: '2026-01-16T08:00:00.000Z' },
      'DOWN Checkout API: status 503 since 15 Jan 2026, 15:58 UTC',
    ],
    ['an outage in another zone', { timeZone: 'Europe/Berlin' }, 'DOWN Checkout API: status 503 since 16:58 CET'],
    [
      'a refused connection',
      {
        reason: {
          code: 'connect_refused',
          message: 'The connection was refused.',
          statusCode: null,
          failedAssertion: null,
        },
      },
      'DOWN Checkout API: connection refused since 15:58 UTC',
    ],
    ['a repetition', { kind: 'repeat' }, 'STILL DOWN Checkout API: status 503 since 15:58 UTC'],
    ['an acknowledgement', { kind: 'acknowledged' }, 'ACKNOWLEDGED Checkout API: down since 15:58 UTC'],
    ['a recovery', { kind: 'resolve', resolvedAt: OVER }, 'UP Checkout API: was down for 18 min (15:58–16:16 UTC)'],
    [
      'a recovery on the next day',
      { kind: 'resolve', startedAt: '2026-01-14T15:58:00.000Z', resolvedAt: OVER, at: OVER },
      'UP Checkout API: was down for 1 d (14 Jan 2026, 15:58–16:16 UTC)',
    ],
    ['a recovery of unknown length', { kind: 'resolve', startedAt: null }, 'UP Checkout API'],
    [
      'what is over before it was sent',
      { kind: 'notice', resolvedAt: OVER },
      'WAS DOWN Checkout API: 18 min (15:58–16:16 UTC), status 503',
    ],
    ['a correction', { kind: 'correction' }, 'CORRECTION Checkout API: was not down at 15:58 UTC'],
    [
      'two monitors',
      { monitors: three.slice(0, 2) },
      'DOWN Checkout API and 1 more monitor: status 503 since 15:58 UTC',
    ],
    [
      'many monitors',
      { monitors: three, moreMonitors: 35 },
      'DOWN Checkout API and 37 more monitors: status 503 since 15:58 UTC',
    ],
    [
      'outages and recoveries',
      { monitors: [three[0]!, { ...three[1]!, recovered: true }], moreRecovered: 2, reason: null },
      'DOWN Checkout API, UP Search and 2 more monitors since 15:58 UTC',
    ],
    ['a test', { isTest: true }, 'TEST DOWN Checkout API: status 503 since 15:58 UTC'],
    ['a drill', { isDrill: true }, 'DRILL DOWN Checkout API: status 503 since 15:58 UTC'],
    [
      'a slow monitor',
      { event: 'degraded', impact: 'degraded', reason: null },
      'DEGRADED Checkout API since 15:58 UTC',
    ],
    [
      'a slow monitor that is fast again, or down',
      { kind: 'resolve', event: 'degraded', impact: 'degraded', reason: null, resolvedAt: OVER },
      'NO LONGER DEGRADED Checkout API: was degraded for 18 min (15:58–16:16 UTC)',
    ],
    [
      'a monitor that is not observed',
      { event: 'unknown', impact: 'unknown', reason: null },
      'NO DATA Checkout API since 15:58 UTC',
    ],
    [
      'a location',
      {
        event: 'location_offline',
        impact: 'unknown',
        reason: null,
        location: 'frankfurt',
        topic: null,
        monitors: [],
        incident: null,
      },
      'LOCATION OFFLINE frankfurt since 15:58 UTC',
    ],
    [
      'a channel',
      { event: 'channel_failing', impact: 'none', reason: null, topic: 'Slack #ops', monitors: [], incident: null },
      'CHANNEL FAILING Slack #ops since 15:58 UTC',
    ],
    [
      'a manual incident with monitors',
      { event: 'manual_incident', reason: null, incident: { id: '1', title: 'Payments fail' } },
      'INCIDENT Payments fail since 15:58 UTC',
    ],
    [
      'an expiring certificate',
      {
        kind: 'notice',
        event: 'certificate_expiring',
        reason: null,
        startedAt: null,
        incident: null,
        expiresAt: '2026-01-29T12:00:00.000Z',
      },
      'CERTIFICATE EXPIRING Checkout API: in 13 days, on 29 Jan 2026, 12:00 UTC',
    ],
    [
      'a domain that expires within a day',
      {
        kind: 'notice',
        event: 'domain_expiring',
        topic: 'shop.example',
        reason: null,
        startedAt: null,
        expiresAt: '2026-01-16T12:00:00.000Z',
      },
      'DOMAIN EXPIRING shop.example: within a day, on 16 Jan 2026, 12:00 UTC',
    ],
    [
      'maintenance',
      { event: 'maintenance', impact: 'none', topic: 'Database upgrade', reason: null },
      'MAINTENANCE STARTED Database upgrade since 15:58 UTC',
    ],
  ])('of %s', (_, changes, subject) => expect(messageOf(changes).subject).toBe(subject));

  it('is cut, and its names are on one line', () => {
    const { subject, monitors } = messageOf({ monitors: [monitorOf({ name: `a\nb\u202e${'x'.repeat(500)}` })] });
    expect(subject).toMatch(/^DOWN a b x+…: status 503/);
    expect(subject.length).toBeLessThanOrEqual(250);
    expect(monitors[0]!.name).toHaveLength(120);
  });

  it('keeps markup, which only channels can escape', () => {
    expect(messageOf({ monitors: [monitorOf({ name: MARKUP })] }).subject).toContain('<!channel>');
  });
});

describe('a composed message', () => {
  it('counts the monitors that it does not name', () => {
    const storm = stormOf(60);
    expect(storm.monitors).toHaveLength(50);
    expect(storm.moreMonitors).toBe(17);
  });

  it('counts all monitors as recovered when it resolves', () => {
    const { monitors, moreMonitors, moreRecovered } = messageOf({ kind: 'resolve', monitors: three, moreMonitors: 5 });
    expect(monitors.every((one) => one.recovered)).toBe(true);
    expect([moreMonitors, moreRecovered]).toEqual([0, 5]);
  });

  it.each([
    ['https://wiki.example/a(b)?c=[d]#*e*', 'https://wiki.example/a%28b%29?c=%5Bd%5D#%2Ae%2A'],
    ['javascript:alert(1)', null],
    ['not a link', null],
    [`https://wiki.example/${'a'.repeat(3_000)}`, null],
  ])('turns the runbook %s into the link %s', (runbook, link) => {
    const { links } = composeMessage({ ...factsOf(), links: { ...factsOf().links, runbook } });
    expect(links.runbook).toBe(link);
  });

  it('has the link in the ten-thousandth message as in the first', () => {
    const facts = { ...factsOf(), links: { ...factsOf().links, runbook: 'https://bücher.example/' } };
    const links = new Set<string | null>();
    for (let i = 0; i < 10_000; i += 1) links.add(composeMessage(facts).links.runbook);
    expect([...links]).toEqual(['https://xn--bcher-kva.example/']);
  });

  it.each<[Partial<MessageFacts>, boolean]>([
    [{ kind: 'trigger' }, true],
    [{ kind: 'repeat' }, true],
    [{ kind: 'acknowledged' }, false],
    [{ kind: 'resolve', resolvedAt: OVER }, false],
    [{ kind: 'correction' }, false],
    [{ kind: 'notice', resolvedAt: OVER }, false],
  ])('of %j offers acknowledgement: %s', (changes, offers) => {
    expect(messageOf(changes).links.acknowledge !== null).toBe(offers);
  });

  it('has sentences for what the subject has no room for', () => {
    const message = messageOf({ isTest: true, isWidespread: true, note: 'Slack #ops failed.', kind: 'correction' });
    expect(sentencesOf(message)).toEqual([
      'This is a test message. No action is needed.',
      expect.stringMatching(/^Many monitors failed at the same time\./),
      'A late result shows that Checkout API was not down. No action is needed.',
      'Slack #ops failed.',
    ]);
  });
});

describe('a duration', () => {
  it.each([
    [0, '0 s'],
    [59, '59 s'],
    [60, '1 min'],
    [3_599, '59 min'],
    [3_600, '1 h'],
    [5_400, '1 h 30 min'],
    [86_400, '1 d'],
    [97_200, '1 d 3 h'],
  ])('of %i seconds is %s', (seconds, text) => expect(durationText(seconds)).toBe(text));
});
