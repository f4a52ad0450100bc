import { describe, expect, it } from '@jest/globals';
import { type AlertNotification, CALM, MAX_ALERTS, type StormState } from './storm-alert.js';
import { nextBatch } from './storm-batch.js';

const change = (alertKey: string, kind: AlertNotification['kind'] = 'trigger', dueAt = 0): AlertNotification => ({
  ...{ key: `${alertKey}/${kind}`, alertKey, kind, dueAt },
  opensAlert: kind === 'trigger',
});
const FULL = Array.from({ length: MAX_ALERTS }, () => 0);
const calm: StormState = { openedAt: FULL, storm: null };
const storm: StormState = { openedAt: FULL, storm: { alertKey: 'storm/a', open: ['a', 'b'] } };

describe('nextBatch', () => {
  it.each<[string, StormState, AlertNotification[], string]>([
    ['sends nothing if nothing is due', CALM, [change('a', 'trigger', 1)], 'nothing'],
    ['sends one alert at a time below the limit', CALM, [change('a'), change('b')], 'a/trigger'],
    ['opens one storm alert for all beyond it', calm, [change('a'), change('b')], 'storm/a: a/trigger b/trigger'],
    ['sends what is not part of it on its own', storm, [change('x', 'resolve')], 'x/resolve'],
    ['absorbs what follows', storm, [change('c'), change('a', 'repeat')], 'storm/a: – absorbs c/trigger a/repeat'],
    ['absorbs all ends but the last', storm, [change('a', 'resolve')], 'storm/a: – absorbs a/resolve'],
    [
      'resolves it with the last',
      storm,
      [change('a', 'resolve'), change('b', 'correction')],
      'storm/a: b/correction absorbs a/resolve',
    ],
    [
      'opens it before anything else that belongs to it',
      calm,
      [change('a'), change('a', 'repeat'), change('z')],
      'storm/a: a/trigger',
    ],
    [
      'does not open the next one in the message that ends the last',
      storm,
      [change('a', 'resolve'), change('b', 'resolve'), change('c')],
      'storm/a: b/resolve absorbs a/resolve',
    ],
  ])('%s', (_, state, pending, expected) => {
    const batch = nextBatch(0, state, pending);
    const storms = batch?.stormKey ? `${batch.stormKey}: ` : '';
    const absorbs = batch?.absorbed.length ? ` absorbs ${batch.absorbed.join(' ')}` : '';
    expect(batch ? `${storms}${batch.members.join(' ') || '–'}${absorbs}` : 'nothing').toBe(expected);
  });

  it('remembers no more than the limit needs', () => {
    let state: StormState = CALM;
    for (let index = 0; index < 50; index += 1) state = nextBatch(0, state, [change(`a${index}`)])!.state;
    expect(state.openedAt).toHaveLength(MAX_ALERTS);
    expect(state.storm?.open).toHaveLength(50 - MAX_ALERTS);
  });
});
