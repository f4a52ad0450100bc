import { describe, expect, it } from '@jest/globals';
import { DAY_MS } from '../../domain/durations.js';
import {
  alertOfCertificate,
  alertOfChannel,
  alertOfDegraded,
  alertOfDomain,
  alertOfLocation,
  alertOfMaintenance,
  alertsOfIncident,
  alertsOfInterruption,
  type LoggedEvent,
} from './alert-history.js';

const INCIDENT = 'incident';
const MONITOR = 'monitor';
const START = Date.UTC(2026, 10, 24, 12);

/** Returns events, recorded one second after each other: `opened` of the incident, or `monitor.up`. */
function log(...types: string[]): LoggedEvent[] {
  return types.map((type, index) => {
    const isMonitor = type.startsWith('monitor.');
    return {
      id: `event-${index}`,
      type: isMonitor ? type : `incident.${type}`,
      recordedAt: START + index * 1_000,
      actorName: 'Ada',
      resourceId: isMonitor ? MONITOR : INCIDENT,
      resourceName: 'Shop is down',
      data: isMonitor ? {} : { kind: 'detected', monitorIds: [MONITOR] },
    };
  });
}

/** Returns one line for each alert. */
function alertsOf(...types: string[]): string[] {
  const s = (at: number | null): string => (at === null ? '?' : String((at - START) / 1_000));
  return alertsOfIncident(INCIDENT, log(...types)).map((one) => {
    const parts = [`#${one.episode} @${s(one.recordedAt)}`];
    if (one.end) parts.push(`${one.end.how} @${s(one.end.at)}`);
    if (one.retractedAt !== null) parts.push(`retracted @${s(one.retractedAt)}`);
    for (const { at, until } of one.acknowledgements) parts.push(`acknowledged @${s(at)}–${s(until)}`);
    for (const { from, to } of one.upSpans) parts.push(`up @${s(from)}–${s(to)}`);
    return parts.join(', ');
  });
}

describe('alertsOfIncident', () => {
  it.each<[string, string[], string[]]>([
    ['an open incident is an alert', ['opened'], ['#1 @0']],
    ['its resolution ends the alert', ['opened', 'resolved'], ['#1 @0, resolved @1']],
    ['a reopened incident is a new alert', ['opened', 'resolved', 'reopened'], ['#1 @0, resolved @1', '#2 @2']],
    ['a late end does not end an alert twice', ['opened', 'resolved', 'updated', 'resolved'], ['#1 @0, resolved @1']],
    ['a retraction ends it', ['opened', 'retracted'], ['#1 @0, retracted @1']],
    ['an acknowledgement lasts an hour', ['opened', 'acknowledged'], ['#1 @0, acknowledged @1–3601']],
    ['an acknowledgement can be withdrawn', ['opened', 'acknowledged', 'unacknowledged'], ['#1 @0, acknowledged @1–2']],
    [
      'a withdrawal of none changes nothing',
      ['opened', 'unacknowledged', 'acknowledged'],
      ['#1 @0, acknowledged @2–3602'],
    ],
    [
      'an acknowledgement survives a pause',
      ['opened', 'acknowledged', 'monitor.paused', 'monitor.resumed'],
      ['#1 @0, paused @2, acknowledged @1–3601', '#2 @3, acknowledged @1–3601'],
    ],
    [
      'an acknowledgement belongs to its episode',
      ['opened', 'acknowledged', 'resolved', 'reopened'],
      ['#1 @0, resolved @2, acknowledged @1–3601', '#2 @3'],
    ],
    [
      'a flapping monitor is up in between',
      ['opened', 'monitor.up', 'monitor.down', 'monitor.degraded'],
      ['#1 @0, up @1–2, up @3–?'],
    ],
    ['a pause ends the alert', ['opened', 'monitor.paused', 'resolved'], ['#1 @0, paused @1']],
    [
      'the end of a pause is a new alert while the outage lasts',
      ['opened', 'monitor.paused', 'monitor.resumed'],
      ['#1 @0, paused @1', '#2 @2'],
    ],
    [
      'the end of a pause is none once the incident is resolved',
      ['opened', 'monitor.paused', 'resolved', 'monitor.resumed'],
      ['#1 @0, paused @1'],
    ],
    ['what happened before the incident was opened is none', ['monitor.down', 'acknowledged'], []],
  ])('%s', (_, types, expected) => {
    expect(alertsOf(...types)).toEqual(expected);
  });
});

describe('the expiry of an acknowledgement', () => {
  const until = (seconds: number | null) => ({
    acknowledgedUntil: seconds === null ? null : new Date(START + seconds * 1_000).toISOString(),
  });
  const endOf = (...given: [type: string, data: object][]): unknown => {
    const events = log('opened', ...given.map(([type]) => type));
    for (const [index, [, data]] of given.entries()) Object.assign(events[index + 1]!.data, data);
    const [ack] = alertsOfIncident(INCIDENT, events)[0]!.acknowledgements;
    return ack!.until === null ? null : (ack!.until - START) / 1_000;
  };

  it.each<[string, [string, object][], number | null]>([
    ['is what the event states', [['acknowledged', until(60)]], 60],
    ['is never if the event says so', [['acknowledged', until(null)]], null],
    ['is replaced by a later one', [['acknowledged', until(60)], ['updated', until(90)]], 90], // prettier-ignore
    ['is not replaced once it was withdrawn', [['acknowledged', until(60)], ['unacknowledged', {}], ['updated', until(90)]], 2], // prettier-ignore
  ])('%s', (_, given, expected) => {
    expect(endOf(...given)).toBe(expected);
  });
});

describe('the alert of a drill', () => {
  it('is one of an outage, whatever happens to its monitor', () => {
    const types = ['opened', 'monitor.paused', 'monitor.resumed', 'monitor.up', 'monitor.degraded', 'resolved'];
    const events = log(...types).map((one) => ({ ...one, data: { ...one.data, kind: 'drill' } }));
    const alerts = alertsOfIncident(INCIDENT, events);
    expect(alerts).toMatchObject([{ event: 'down', isDrill: true, upSpans: [], subject: { detail: null } }]);
    expect(alerts[0]!.end).toEqual({ at: START + 5_000, how: 'resolved' });
    expect(alertsOfIncident(INCIDENT, log('opened'))).toMatchObject([{ isDrill: false }]);
  });
});

describe('alertOfDegraded', () => {
  it.each<[string[], unknown]>([
    [[], null],
    [['monitor.updated'], null],
    [['monitor.updated', 'monitor.up'], { how: 'resolved', at: START + 2_000 }],
    [['monitor.down'], { how: 'resolved', at: START + 1_000 }],
    [['monitor.paused', 'monitor.up'], { how: 'paused', at: START + 1_000 }],
    [['monitor.deleted'], { how: 'deleted', at: START + 1_000 }],
  ])('ends with %p', (types, end) => {
    const [opening, ...later] = log('monitor.degraded', ...types);
    expect(alertOfDegraded(opening!, later).end).toEqual(end);
  });

  it('does not end when the monitor is found degraded again after a time without data', () => {
    const [opening, again, up] = log('monitor.degraded', 'monitor.degraded', 'monitor.up');
    const later = [{ ...again!, data: { groupId: 'group' } }, up!];
    expect(alertOfDegraded(opening!, later).end).toEqual({ how: 'resolved', at: START + 2_000 });
  });
});

it('follows a correction of the end by a late result', () => {
  const [opening, resolution, correction] = log('opened', 'resolved', 'updated');
  const ending = (event: LoggedEvent, resolvedAt: string): LoggedEvent => ({
    ...event,
    data: { ...event.data, resolvedAt },
  });
  const events = [
    opening!,
    ending(resolution!, '2026-11-24T11:50:00.000Z'),
    ending(correction!, '2026-11-24T11:55:00.000Z'),
  ];
  expect(alertsOfIncident(INCIDENT, events)[0]!.subject.resolvedAt).toBe('2026-11-24T11:55:00.000Z');
});

describe('the detail of an outage', () => {
  const details = (...types: string[]): (string | null)[] =>
    alertsOfIncident(INCIDENT, log(...types)).map(({ subject }) => subject.detail);

  it('says that a degraded monitor got worse', () => {
    const [turn, opening] = log('monitor.down', 'opened');
    const events = [{ ...turn!, data: { previousStatus: 'degraded' } }, opening!];
    expect(alertsOfIncident(INCIDENT, events)[0]!.subject.detail).toBe('It was degraded before.');
    expect(details('monitor.down', 'opened')).toEqual([null]);
  });

  it('says that a monitor that is back up is still slow', () => {
    expect(details('monitor.down', 'opened', 'monitor.degraded', 'resolved')).toEqual(['Back up, still slow.']);
    expect(details('monitor.down', 'opened', 'monitor.degraded', 'monitor.up', 'resolved')).toEqual([null]);
    expect(details('monitor.down', 'opened', 'monitor.up', 'resolved')).toEqual([null]);
  });
});

describe('alertOfChannel', () => {
  const event = (type: string, seconds: number, data: Record<string, unknown> = {}): LoggedEvent => {
    const at = { recordedAt: START + seconds * 1_000, actorName: null };
    return { ...{ id: `event-${seconds}`, type, data }, ...at, resourceId: 'channel', resourceName: 'Ops' };
  };

  it.each([
    ['at once if the receiver refuses for good', true, 0],
    ['two minutes later if it may be back soon', false, 120],
  ])('notifies %s', (_, permanent, seconds) => {
    const alert = alertOfChannel(event('channel.failing', 0, { error: 'Status 503.', permanent }), []);
    expect(alert).toMatchObject({ event: 'channel_failing', monitorIds: [], end: null });
    expect(alert.subject).toMatchObject({ title: 'Ops', detail: 'Status 503.', startedAt: '2026-11-24T12:00:00.000Z' });
    expect((alert.notBefore - START) / 1_000).toBe(seconds);
  });

  it.each([
    ['a recovery', 'channel.recovered', {}, 'resolved'],
    ['a deletion', 'notification_channel.deleted', {}, 'deleted'],
    ['a change that disables it', 'notification_channel.updated', { enabled: false }, 'paused'],
  ] as const)('ends with %s', (_, type, data, how) => {
    const others = [event('notification_channel.updated', 1, { enabled: true }), event(type, 2, data)];
    const alert = alertOfChannel(event('channel.failing', 0), others);
    expect(alert.end).toEqual({ at: START + 2_000, how });
    expect(alert.subject.resolvedAt).toBe('2026-11-24T12:00:02.000Z');
  });
});

describe('alertsOfInterruption', () => {
  const interruption = (seconds: number): LoggedEvent => ({
    ...{ id: 'event', type: 'checking.interrupted', recordedAt: START, actorName: null },
    ...{ resourceId: 'default', resourceName: 'default' },
    data: { startedAt: new Date(START - seconds * 1_000).toISOString(), resolvedAt: new Date(START).toISOString() },
  });

  it('is over when it is recorded, and is none if it took less than five minutes', () => {
    expect(alertsOfInterruption(interruption(299))).toEqual([]);
    expect(alertsOfInterruption(interruption(300))).toMatchObject([
      { event: 'location_offline', end: { at: START + 1, how: 'resolved' }, subject: { title: 'default' } },
    ]);
  });

  it('is none without its times, which older events do not have', () => {
    expect(alertsOfInterruption({ ...interruption(300), data: { reason: 'not_running' } })).toEqual([]);
  });
});

describe('alertOfLocation', () => {
  const event = (type: string, afterMs: number, reason: string): LoggedEvent => ({
    ...{ id: 'event', type, recordedAt: START + afterMs, actorName: null },
    ...{ resourceId: 'eu-west', resourceName: 'eu-west', data: { reason } },
  });
  const opening = event('checking.interrupted', 0, 'no_worker');

  it('notifies after five minutes, and lasts until the same reason is over', () => {
    const others = [event('checking.resumed', 1_000, 'disagrees'), event('checking.interrupted', 2_000, 'disagrees')];
    const lasting = { event: 'location_offline', notBefore: START + 300_000, end: null };
    expect(alertOfLocation(opening, others)).toMatchObject({ ...lasting, subject: { title: 'eu-west' } });
    expect(alertOfLocation(opening, [...others, event('checking.resumed', 3_000, 'no_worker')])).toMatchObject({
      end: { at: START + 3_000, how: 'resolved' },
      subject: { resolvedAt: '2026-11-24T12:00:03.000Z' },
    });
  });
});

describe('alertOfMaintenance', () => {
  const began: LoggedEvent = { ...log('opened')[0]!, type: 'maintenance.started', data: {} };

  it.each([
    [2 * DAY_MS, null],
    [3 * DAY_MS, { at: START + 3 * DAY_MS, how: 'resolved' }],
    [90 * DAY_MS, { at: START + 3 * DAY_MS, how: 'resolved' }],
  ])('is news for three days: after %d ms, its end is %j', (afterMs, end) => {
    expect(alertOfMaintenance(began, ['m'], START + afterMs)).toMatchObject({ monitorIds: ['m'], end });
  });
});

describe('alertOfCertificate', () => {
  const event: LoggedEvent = {
    id: 'event',
    type: 'certificate.expiring',
    recordedAt: START,
    actorName: null,
    resourceId: 'ff',
    resourceName: 'CN=shop.example',
    data: {
      thresholdDays: 14,
      subject: 'CN=shop.example',
      issuer: 'CN=R11',
      validUntil: '2026-12-08T12:00:00.000Z',
      monitorIds: ['a', 'b'],
    },
  };

  it('is a notice about all monitors that see the certificate', () => {
    expect(alertOfCertificate(event, null)).toMatchObject({
      subjectId: 'event',
      incidentId: null,
      event: 'certificate_expiring',
      monitorIds: ['a', 'b'],
      end: null,
      subject: {
        expiresAt: '2026-12-08T12:00:00.000Z',
        impact: 'none',
        detail: 'Certificate of CN=shop.example, issued by CN=R11.',
      },
    });
  });

  it('names what is known of the certificate', () => {
    const unnamed = { ...event, data: { ...event.data, subject: null } };
    expect(alertOfCertificate(unnamed, null).subject.detail).toBe('Certificate issued by CN=R11.');
    const bare = { ...event, data: { ...event.data, subject: null, issuer: null } };
    expect(alertOfCertificate(bare, null).subject.detail).toBe('Certificate issued by an unnamed authority.');
  });

  it('has the end that it is given', () => {
    const end = { at: START + 1_000, how: 'resolved' as const };
    expect(alertOfCertificate(event, end).end).toEqual(end);
  });
});

describe('alertOfDomain', () => {
  const data = {
    thresholdDays: 14,
    registrar: 'Example Registrar',
    expiresAt: '2026-12-08T12:00:00.000Z',
    monitorIds: ['a'],
  };
  const event: LoggedEvent = {
    id: 'event',
    type: 'domain.expiring',
    recordedAt: START,
    actorName: null,
    resourceId: 'shop.example',
    resourceName: 'shop.example',
    data,
  };

  it.each([
    ['Example Registrar', 'Domain shop.example, registered with Example Registrar.'],
    [null, 'Domain shop.example.'],
  ])('is a notice that names the registrar %j', (registrar, detail) => {
    expect(alertOfDomain({ ...event, data: { ...data, registrar } }, null)).toMatchObject({
      subjectId: 'event',
      event: 'domain_expiring',
      monitorIds: ['a'],
      end: null,
      subject: { expiresAt: '2026-12-08T12:00:00.000Z', impact: 'none', detail },
    });
  });
});
