import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { collect, COLLECT_MS, type DueNotification } from './collect.js';
import { isProbablyCommonCause } from './common-cause.js';
import { type AlertNotification, CALM, limitAlerts, MAX_ALERTS, type StormState } from './storm-alert.js';

const due = (key: string, dueAt: number, kind: DueNotification['kind'] = 'trigger'): DueNotification => ({
  key,
  kind,
  dueAt,
  monitors: [`monitor ${key}`],
});

describe('collect', () => {
  it.each<[string, number, number | null, DueNotification[], string[] | null, number | null]>([
    ['sends the first one at once', 0, null, [due('a', 0)], ['a'], 30_000],
    ['collects those that follow', 10_000, 30_000, [due('b', 10_000)], null, 30_000],
    ['sends them together', 30_000, 30_000, [due('c', 20_000), due('b', 10_000)], ['b', 'c'], 60_000],
    ['sends the next one at once after a quiet window', 30_000, 30_000, [], null, null],
    ['leaves what is not due yet', 0, null, [due('a', 1)], null, null],
  ])('%s', (_, now, window, pending, members, until) => {
    const { message, collectsUntil } = collect(now, window, pending, 5);
    expect(message?.members ?? null).toEqual(members);
    expect(collectsUntil).toBe(until);
  });

  it('reports downs, recoveries and steps in one message, names what fits and counts all', () => {
    const pending = [
      ...Array.from({ length: 37 }, (__, index) => due(`d${index + 10}`, index)),
      due('r', 5, 'resolve'),
      due('s', 6, 'repeat'),
    ];
    const { message } = collect(100, 100, pending, 3);
    expect(message!.members).toHaveLength(39);
    expect(message!.sections).toEqual([
      { name: 'down', named: ['monitor d10', 'monitor d11', 'monitor d12'], count: 38 },
      { name: 'recovered', named: ['monitor r'], count: 1 },
    ]);
  });

  it('loses none, repeats none, and sends at most one message per window', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(200_000), { maxLength: 60 }), (times) => {
        let left = times.map((at, index) => due(`n${index}`, at));
        let window: number | null = null;
        const sent: { at: number; members: string[] }[] = [];
        for (let now = 0; now <= 240_000; now += 500) {
          const { message, collectsUntil } = collect(now, window, left, 5);
          window = collectsUntil;
          if (!message) continue;
          sent.push({ at: now, members: message.members });
          left = left.filter(({ key }) => !message.members.includes(key));
        }
        expect(sent.flatMap(({ members }) => members).sort()).toEqual(times.map((__, index) => `n${index}`).sort());
        for (const [index, { at }] of sent.entries()) {
          if (index > 0) expect(at - sent[index - 1]!.at).toBeGreaterThanOrEqual(COLLECT_MS);
        }
      }),
    );
  });
});

const change = (alertKey: string, dueAt: number, kind: AlertNotification['kind'] = 'trigger'): AlertNotification => ({
  key: `${alertKey}/${kind}/${dueAt}`,
  alertKey,
  kind,
  dueAt,
  opensAlert: kind === 'trigger',
});
const triggers = (from: number, count: number, at: number) =>
  Array.from({ length: count }, (_, index) => change(`a${from + index}`, at));
const counts = (actions: { action: string }[]) =>
  Object.fromEntries([...new Set(actions.map(({ action }) => action))].map((name) => [name, actions.filter(({ action }) => action === name).length])); // prettier-ignore

describe('limitAlerts', () => {
  it('sends twenty alerts a minute on their own and one storm alert for the rest', () => {
    const { actions, state } = limitAlerts(0, CALM, triggers(100, 50, 0));
    expect(counts(actions)).toEqual({ send: MAX_ALERTS, open_storm: 1, join: 30 });
    expect(state.storm?.open).toHaveLength(30);
  });

  it('resolves the storm alert with the last of its alerts', () => {
    let { state } = limitAlerts(0, CALM, triggers(100, 22, 0));
    const first = limitAlerts(90_000, state, [change('a120', 90_000, 'resolve'), change('a100', 90_000, 'resolve')]);
    expect(counts(first.actions)).toEqual({ send: 1, join: 1 });
    state = first.state;
    const last = limitAlerts(95_000, state, [change('a121', 95_000, 'correction')]);
    expect(counts(last.actions)).toEqual({ join: 1, resolve_storm: 1 });
    expect(last.state.storm).toBeNull();
  });

  it('sends alerts on their own again a minute later, and steps of open alerts as they are', () => {
    const { state } = limitAlerts(0, CALM, triggers(100, 21, 0));
    const step = { ...change('a100', 1_000), opensAlert: false };
    const repeat = change('a120', 1_000, 'repeat');
    expect(counts(limitAlerts(1_000, state, [step, repeat]).actions)).toEqual({ send: 1, join: 1 });
    expect(counts(limitAlerts(59_999, state, triggers(300, 1, 0)).actions)).toEqual({ join: 1 });
    expect(counts(limitAlerts(60_000, state, triggers(300, 1, 0)).actions)).toEqual({ send: 1 });
  });

  it('ends each alert the way in which it was opened, and each storm alert once', () => {
    const entry = fc.tuple(fc.nat(300_000), fc.integer({ min: 1, max: 200_000 }));
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 80 }), (alerts) => {
        const changes = alerts.flatMap(([from, length], index) => [
          change(`a${index}`, from),
          change(`a${index}`, from + length, 'resolve'),
        ]);
        changes.sort((a, b) => a.dueAt - b.dueAt);
        let state: StormState = CALM;
        const ways = new Map<string, string[]>();
        const storms: string[] = [];
        for (const one of changes) {
          const result = limitAlerts(one.dueAt, state, [one]);
          state = result.state;
          for (const action of result.actions) {
            if ('key' in action) ways.set(one.alertKey, [...(ways.get(one.alertKey) ?? []), action.action]);
            else storms.push(action.action);
          }
        }
        for (const [opened, closed] of ways.values()) expect(closed).toBe(opened);
        expect(state.storm).toBeNull();
        expect(storms).toEqual(storms.map((__, index) => (index % 2 === 0 ? 'open_storm' : 'resolve_storm')));
      }),
    );
  });
});

describe('isProbablyCommonCause', () => {
  const outages = (count: number, everyMs: number) =>
    Array.from({ length: count }, (_, index) => ({ monitorId: `m${index}`, at: index * everyMs }));
  it.each<[string, { monitorId: string; at: number }[], number, boolean]>([
    ['ten of twenty within a minute', outages(10, 6_000), 20, true],
    ['ten of twenty-one', outages(10, 6_000), 21, false],
    ['nine of nine', outages(9, 1_000), 9, false],
    ['ten at the ends of a minute', outages(10, 6_666), 10, true],
    ['ten in more than a minute', outages(10, 6_667), 10, false],
    ['one monitor ten times', outages(10, 1).map((one) => ({ ...one, monitorId: 'm' })), 1, false],
  ])('judges %s', (_, list, monitors, expected) => {
    expect(isProbablyCommonCause(list, monitors)).toBe(expected);
  });
});
