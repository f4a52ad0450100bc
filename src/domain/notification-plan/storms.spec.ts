import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isProbablyCommonCause } from './common-cause.js';
import { type AlertNotification, CALM, limitAlerts, MAX_ALERTS, type StormState } from './storm-alert.js';

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
