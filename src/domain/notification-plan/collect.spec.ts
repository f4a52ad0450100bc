import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { collect, COLLECT_MS, type DueNotification } from './collect.js';

const due = (key: string, dueAt: number, changes: Partial<DueNotification> = {}): DueNotification => ({
  ...{ key, subjectId: key, event: 'down', kind: 'trigger', note: null, dueAt },
  ...changes,
});

describe('collect', () => {
  it.each<[string, number, number | null, DueNotification[], string[][], number | null]>([
    ['sends the first one at once', 0, null, [due('a', 0)], [['a']], 30_000],
    ['collects those that follow', 10_000, 30_000, [due('b', 10_000)], [], 30_000],
    ['sends them together', 30_000, 30_000, [due('c', 20_000), due('b', 10_000)], [['b', 'c']], 60_000],
    ['sends the next one at once after a quiet window', 30_000, 30_000, [], [], null],
    ['leaves what is not due yet', 0, null, [due('a', 1)], [], null],
  ])('%s', (_, now, window, pending, messages, until) => {
    expect(collect(now, window, pending)).toEqual({ messages, collectsUntil: until });
  });

  it.each<[string, Partial<DueNotification>[], string[][]]>([
    ['downs, steps and recoveries', [{}, { kind: 'repeat' }, { kind: 'resolve' }], [['0', '1', '2']]],
    ['outages that continue for whatever reason', [{}, { note: 'still_down_after_maintenance' }], [['0', '1']]],
    ['a degraded monitor and one that is down', [{ event: 'degraded' }, {}], [['0'], ['1']]],
    ['a monitor without data and one that is down', [{ event: 'unknown' }, {}], [['0'], ['1']]],
    ['a recovery and an acknowledgement', [{ kind: 'resolve' }, { kind: 'acknowledged' }], [['0'], ['1']]],
    ['several acknowledgements', [{ kind: 'acknowledged' }, { kind: 'acknowledged' }], [['0', '1']]],
    ['a correction and a recovery', [{ kind: 'correction' }, { kind: 'resolve' }], [['0'], ['1']]],
    [
      'recoveries and ends by a pause',
      [{ kind: 'resolve' }, { kind: 'resolve', note: 'paused' }, { kind: 'resolve', note: 'paused' }],
      [['0'], ['1', '2']],
    ],
    ['a certificate and an outage', [{ event: 'certificate_expiring', kind: 'notice' }, {}], [['1'], ['0']]],
    [
      'two certificates',
      [
        { event: 'certificate_expiring', kind: 'notice' },
        { event: 'certificate_expiring', kind: 'notice' },
      ],
      [['0'], ['1']],
    ],
    ['two manual incidents', [{ event: 'manual_incident' }, { event: 'manual_incident' }], [['0'], ['1']]],
    [
      'two steps of one manual incident',
      [
        { event: 'manual_incident', subjectId: 'i' },
        { event: 'manual_incident', subjectId: 'i' },
      ],
      [['0', '1']],
    ],
    [
      'a location, a channel and an outage',
      [{ event: 'location_offline' }, { event: 'channel_failing' }, {}],
      [['2'], ['0'], ['1']],
    ],
    [
      'an acknowledgement that is followed by what it is about',
      [
        { kind: 'acknowledged', subjectId: 'i' },
        { kind: 'resolve', subjectId: 'i' },
      ],
      [['0']],
    ],
  ])('forms the messages that one wording each describes: %s', (_, changes, messages) => {
    const pending = changes.map((one, index) => due(String(index), index, one));
    expect(collect(100, null, pending).messages).toEqual(messages);
  });

  it('loses none, repeats none, and sends at most one message per topic and window', () => {
    const kinds = fc.constantFrom<DueNotification['kind'][]>('trigger', 'resolve', 'acknowledged');
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(200_000), kinds, fc.nat(5)), { maxLength: 60 }), (list) => {
        let left = list.map(([at, kind, subject], index) => due(`n${index}`, at, { kind, subjectId: `s${subject}` }));
        let window: number | null = null;
        const sent: { at: number; messages: string[][] }[] = [];
        for (let now = 0; left.length > 0; now += 500) {
          const { messages, collectsUntil } = collect(now, window, left);
          window = collectsUntil;
          if (messages.length === 0) continue;
          sent.push({ at: now, messages });
          left = left.filter(({ key }) => !messages.flat().includes(key));
        }
        expect(sent.flatMap(({ messages }) => messages.flat()).sort()).toEqual(
          list.map((__, index) => `n${index}`).sort(),
        );
        for (const [index, { at, messages }] of sent.entries()) {
          expect(messages.length).toBeLessThanOrEqual(2);
          if (index > 0) expect(at - sent[index - 1]!.at).toBeGreaterThanOrEqual(COLLECT_MS);
        }
      }),
    );
  });
});
