import { describe, expect, it } from '@jest/globals';
import { type TeamId } from '../../../http/auth/principal.js';
import { LiveListener } from './live-listener.js';

const written: string[] = [];
const listener = (ids: string[], sinceMs: number | null = 1_000) =>
  new LiveListener(
    { sessionId: 's', teamId: 't' as TeamId, ids, sinceMs, counts: true, evidence: false },
    { write: (text) => void written.push(text), end: () => undefined },
  );
const marks = (values: Record<string, string>) => new Map(Object.entries(values));

describe('LiveListener', () => {
  it('reports all monitors at first, then the changed ones, and each deleted one once', () => {
    const page = listener(['a', 'b', 'c']);
    const sent = (values: Record<string, string>) => {
      const changes = page.changesIn(marks(values));
      page.markSent(marks(values));
      return changes;
    };
    expect(sent({ a: '1', b: '1' })).toEqual({ changed: ['a', 'b'], gone: ['c'] });
    expect(sent({ a: '1', b: '2' })).toEqual({ changed: ['b'], gone: [] });
    expect(sent({ a: '1' })).toEqual({ changed: [], gone: ['b'] });
    expect(sent({ a: '1' })).toEqual({ changed: [], gone: [] });
  });

  it('counts each new monitor once, although queries return it for a while', () => {
    const page = listener(['own'], 1_000);
    const created = [
      { id: 'before', atMs: 1_000 },
      { id: 'own', atMs: 1_500 },
      { id: 'new', atMs: 1_500 },
    ];
    expect(page.newAmong(created, 2_000)).toBe(1);
    expect(page.newAmong(created, 3_000)).toBe(0);
    expect(page.newAmong([...created, { id: 'late', atMs: 1_200 }], 4_000)).toBe(1);
    expect(page.sinceMs).toBe(1_000);
    page.newAmong([], 20_000);
    expect(page.sinceMs).toBe(10_000);
    // Another page of the team has requested them.
    expect(page.newAmong(created, 21_000)).toBe(0);
  });

  it('sends counts only if they differ from the previous ones', () => {
    const page = listener([]);
    for (const up of [1, 1, 2, 1]) page.sendCounts({ counts: { up } });
    expect(written.map((text) => text.split('\n')[1])).toEqual([
      'data: {"counts":{"up":1}}',
      'data: {"counts":{"up":2}}',
      'data: {"counts":{"up":1}}',
    ]);
  });

  it('counts no new monitors for a page that does not show them', () => {
    expect(listener([], null).newAmong([{ id: 'new', atMs: 9_000 }], 10_000)).toBe(0);
  });
});
