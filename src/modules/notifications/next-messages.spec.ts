import { describe, expect, it } from '@jest/globals';
import { type ChannelAudience } from '../../channels/channel.js';
import { type StormState } from '../../domain/notification-plan/storm-alert.js';
import { type ChannelPause } from './channel-claims.service.js';
import { type DueNotification } from './due-notifications.js';
import { choose } from './next-messages.js';

const NOW = Date.UTC(2026, 0, 15, 12);
const WORKING: ChannelPause = { failingSince: null, collectsUntil: null, storm: null };
const FAILING: ChannelPause = { ...WORKING, failingSince: NOW - 600_000 };
const COLLECTING: ChannelPause = { ...WORKING, collectsUntil: NOW + 30_000 };
const minute = (minutes: number): string => new Date(NOW + minutes * 60_000).toISOString();

/** A notification that is due. */
function due(id: string, changes: Partial<DueNotification> = {}): DueNotification {
  return {
    ...{ id, subject_id: id, alert_key: `${id}/1`, event: 'down', kind: 'trigger', note: null, message_id: null },
    ...{ storm_key: null, due_at: new Date(NOW - 3_600_000), attempts: changes.tried_at ? 1 : 0 },
    ...{ tried_at: null, opens: true, is_drill: false },
    ...changes,
  };
}

/** Returns the notifications of each message that is sent next. */
function next(audience: ChannelAudience, pause: ChannelPause, list: readonly DueNotification[]): string[] {
  return choose(list, audience, pause, NOW)?.messages.map(({ ids }) => ids.join('+')) ?? [];
}

const refused = due('refused', { tried_at: minute(-1) });
const later = (id: string, of: DueNotification, changes: Partial<DueNotification> = {}) =>
  due(id, {
    ...{ subject_id: of.subject_id, alert_key: of.alert_key, kind: 'resolve', due_at: new Date(NOW - 1_000) },
    ...{ tried_at: of.tried_at, attempts: 0, opens: false },
    ...changes,
  });

describe.each<ChannelAudience>(['people', 'machines', 'program'])('a channel for %s that fails', (audience) => {
  it.each<[string, DueNotification[], string[]]>([
    ['what was not tried before what was', [refused, due('new')], ['new']],
    ['what was tried least recently', [due('x', { tried_at: minute(-1) }), due('y', { tried_at: minute(-2) })], ['y']],
    ['what failed again, if nothing else is due', [refused], ['refused']],
    ['an alert before what follows it', [later('end', refused), refused], ['refused']],
    ['what is due of another alert before both', [later('end', refused), refused, due('new')], ['new']],
    ['a drill last', [due('drill', { is_drill: true }), refused], ['refused']],
  ])('is tried with %s', (_, list, expected) => {
    expect(next(audience, FAILING, list)).toEqual(expected);
  });
});

it.each<[ChannelAudience, string]>([
  ['people', 'a+end'],
  ['machines', 'a'],
  ['program', 'a'],
])('a channel for %s is not sent the end of an alert before its start', (audience, expected) => {
  expect(next(audience, FAILING, [later('end', due('a')), due('a')])).toEqual([expected]);
});

describe('a channel for programs', () => {
  it('is sent eight alerts at a time while it works, those first that were not tried yet', () => {
    const list = [refused, ...Array.from({ length: 9 }, (_, index) => due(`n${index}`))];
    expect(next('program', WORKING, list)).toEqual(['n0', 'n1', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7']);
    expect(next('program', WORKING, list.slice(0, 3))).toEqual(['n0', 'n1', 'refused']);
  });
});

describe('a channel for people', () => {
  const begun = (id: string, message: string, changes: Partial<DueNotification> = {}) =>
    due(id, { message_id: message, tried_at: minute(-1), ...changes });

  it.each<[string, ChannelPause, DueNotification[], string[]]>([
    ['collects nothing for 30 s', COLLECTING, [due('a'), due('b')], []],
    ['repeats an attempt meanwhile', COLLECTING, [due('a'), refused], ['refused']],
    ['keeps what was attempted alone apart', WORKING, [refused, due('a'), due('b')], ['a+b', 'refused']],
    ['keeps the members of an attempted message', WORKING, [begun('x', 'y'), begun('y', 'y'), due('a')], ['a', 'y+x']],
    [
      'does not send what follows an alert of an attempted message before that',
      WORKING,
      [begun('x', 'x'), begun('y', 'x'), later('end', begun('y', 'x')), due('a')],
      ['a', 'x+y'],
    ],
    ['is tried with one message while it fails', FAILING, [due('i', { event: 'manual_incident' }), due('a')], ['i']],
    ['is sent all that is due while it works', WORKING, [due('i', { event: 'manual_incident' }), due('a')], ['a', 'i']],
    [
      'is sent eight messages at a time',
      WORKING,
      Array.from({ length: 10 }, (_, index) => due(`i${index}`, { event: 'manual_incident' })),
      ['i0', 'i1', 'i2', 'i3', 'i4', 'i5', 'i6', 'i7'],
    ],
  ])('%s', (_, pause, list, expected) => expect(next('people', pause, list)).toEqual(expected));
});

describe('a channel for people that fails for long', () => {
  /** Attempts what is next at a minute, without success, and returns its notifications. */
  function fail(list: DueNotification[], at: number): string[] {
    const [message] = choose(list, 'people', FAILING, NOW + at * 60_000)!.messages;
    for (const one of list.filter(({ id }) => message!.ids.includes(id))) {
      Object.assign(one, { message_id: message!.messageId, tried_at: minute(at), attempts: one.attempts + 1 });
    }
    return [...message!.ids];
  }

  it('gathers what arrives meanwhile in a few messages', () => {
    const list: DueNotification[] = [];
    for (let at = 0; at < 180; at += 1) {
      list.unshift(due(`a${at}`));
      fail(list, at);
    }
    const begun = list.filter(({ attempts }) => attempts > 0);
    expect(new Set(begun.map((one) => one.message_id ?? one.id)).size).toBe(8);
    const [collected] = choose(list, 'people', WORKING, NOW + 180 * 60_000)!.messages;
    expect(collected!.ids).toHaveLength(list.length - begun.length);
  });

  it.each([
    [1, 0],
    [2, 1],
    [3, 3],
  ])(
    'whose receiver never accepts %i messages is tried with the next outage after %i attempts of them',
    (count, delay) => {
      const list = Array.from({ length: count }, (_, index) => due(`broken${index}`, { event: 'manual_incident' }));
      let at = 0;
      while (list.some(({ attempts }) => attempts === 0)) fail(list, (at += 1));
      const outage = due('outage');
      list.push(outage);
      const before = at;
      while (outage.attempts === 0) fail(list, (at += 1));
      expect(at - before - 1).toBe(delay);
      // Once it is accepted, the others delay no further one.
      list.splice(list.indexOf(outage), 1, due('next'));
      expect(fail(list, at + 1)).toEqual(['next']);
    },
  );

  it('is tried with each message in turn', () => {
    const list = ['x', 'y', 'z'].map((id, index) => due(id, { tried_at: minute(index - 3) }));
    list.push(due('new'));
    expect([0, 1, 2, 3, 4].flatMap((at) => fail(list, at))).toEqual(['x', 'y', 'z', 'x', 'new']);
  });
});

describe('a channel for machines whose storm alert was not accepted', () => {
  const openedAt = Array.from({ length: 20 }, () => NOW - 1_000);
  const storm: StormState = { openedAt, storm: { alertKey: 'storm/s/1', open: ['s/1'] } };
  const opening = due('s', { message_id: 's', storm_key: 'storm/s/1', tried_at: minute(-1), opens: false });

  it.each<[string, DueNotification[], string[]]>([
    [
      'is sent what the storm alert does not stand for',
      [due('own', { kind: 'resolve', opens: false }), opening],
      ['own'],
    ],
    ['is not told of more alerts before it', [due('more'), opening], ['s']],
    ['gets it again once nothing else is due', [opening], ['s']],
    ['takes turns', [due('own', { opens: false, tried_at: minute(-2) }), opening], ['own']],
    ['takes turns with it', [due('own', { opens: false, tried_at: minute(-0.5) }), opening], ['s']],
  ])('%s', (_, list, expected) => expect(next('machines', { ...FAILING, storm }, list)).toEqual(expected));
});
