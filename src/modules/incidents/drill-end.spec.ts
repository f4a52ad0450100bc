import { describe, expect, it } from '@jest/globals';
import { endOfDrill } from './drill-end.js';

const at = (seconds: number): Date => new Date(Date.UTC(2026, 10, 24, 12) + seconds * 1_000);
const drill = { kind: 'drill', settlesAt: at(900) };

describe('endOfDrill', () => {
  it.each<[string, Parameters<typeof endOfDrill>[0], Parameters<typeof endOfDrill>[1], object | null]>([
    ['is a minute after the acknowledgement', drill, { acknowledgedAt: at(100) }, { settlesAt: at(160) }],
    ['is not postponed by a late acknowledgement', drill, { acknowledgedAt: at(890) }, { settlesAt: at(900) }],
    ['does not change when the note is replaced', drill, { acknowledgeNote: 'Mine.' }, null],
    ['does not change when the acknowledgement is withdrawn', drill, { acknowledgedAt: null }, null],
    ['is no longer planned once the drill is resolved', drill, { resolvedAt: at(5) }, { settlesAt: null }],
    ['does not change with an update of an open drill', drill, { resolvedAt: null }, null],
    ['is not planned again once the drill has ended', { ...drill, settlesAt: null }, { acknowledgedAt: at(1) }, null],
    ['does not concern a flapping monitor', { ...drill, kind: 'detected' }, { acknowledgedAt: at(100) }, null],
  ])('%s', (_, incident, changes, expected) => {
    expect(endOfDrill(incident, changes)).toEqual(expected);
  });
});
