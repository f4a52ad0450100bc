import { describe, expect, it } from '@jest/globals';
import { type TeamId } from '../auth/principal.js';
import { TeamShares } from './team-shares.js';

const [OURS, THEIRS] = ['ours', 'theirs'] as unknown as [TeamId, TeamId];

/** Reads that last until they are ended. */
function scene() {
  const reads = new TeamShares({ atOnce: 2, mostWaiting: 50, noun: 'reports' });
  const begun: string[] = [];
  const end = new Map<string, (error?: Error) => void>();
  const start = (teamId: TeamId, name: string): Promise<string> =>
    reads.run(teamId, () => {
      begun.push(name);
      return new Promise<string>((resolve, reject) =>
        end.set(name, (error) => (error ? reject(error) : resolve(name))),
      );
    });
  return { begun, end: (name: string, error?: Error) => end.get(name)!(error), start };
}

const settled = (): Promise<void> => new Promise((done) => setImmediate(done));

describe('TeamShares', () => {
  it('runs two reads of a team at once, the next ones in order, and those of other teams concurrently', async () => {
    const { begun, end, start } = scene();
    const all = ['a', 'b', 'c', 'd'].map((name) => start(OURS, name));
    const other = start(THEIRS, 'x');
    expect(begun).toEqual(['a', 'b', 'x']);
    end('b');
    await settled();
    expect(begun).toEqual(['a', 'b', 'x', 'c']);
    for (const name of ['x', 'a', 'c']) end(name);
    await settled();
    end('d');
    expect(await Promise.all([...all, other])).toEqual(['a', 'b', 'c', 'd', 'x']);
  });

  it('continues after a failure, and starts again after the last one has ended', async () => {
    const { begun, end, start } = scene();
    const [first, ...others] = ['a', 'b', 'c'].map((name) => start(OURS, name));
    end('a', new Error('x'));
    await expect(first).rejects.toThrow('x');
    await settled();
    expect(begun).toEqual(['a', 'b', 'c']);
    end('b');
    end('c');
    await Promise.all(others);
    void start(OURS, 'd');
    void start(OURS, 'e');
    expect(begun.slice(3)).toEqual(['d', 'e']);
  });

  it('rejects work beyond the limit with 429, only for that team', async () => {
    const { begun, start } = scene();
    for (let n = 0; n < 52; n += 1) void start(OURS, `${n}`);
    await expect(start(OURS, 'more')).rejects.toMatchObject({
      code: 'rate_limited',
      headers: { 'Retry-After': '1' },
    });
    void start(THEIRS, 'x');
    expect(begun).toEqual(['0', '1', 'x']);
  });
});
