import { describe, expect, it } from '@jest/globals';
import { TeamLines } from './team-lines.js';

function served(lines: TeamLines<string>, count = Infinity): string[] {
  const taken: string[] = [];
  while (taken.length < count && lines.length > 0) taken.push(lines.shift()!);
  return taken;
}

describe('TeamLines', () => {
  it('serves the entries of a team in order', () => {
    const lines = new TeamLines<string>();
    for (const one of ['1', '2', '3']) lines.push('a', one);
    expect(lines.length).toBe(3);
    expect(served(lines)).toEqual(['1', '2', '3']);
    expect(lines.shift()).toBeUndefined();
    expect(lines.length).toBe(0);
  });

  it('lets teams take turns, regardless of the order and number of their entries', () => {
    const lines = new TeamLines<string>();
    for (let one = 1; one <= 4; one += 1) lines.push('many', `many ${one}`);
    lines.push('few', 'few 1');
    lines.push('other', 'other 1');
    lines.push('few', 'few 2');
    expect(served(lines)).toEqual(['many 1', 'few 1', 'other 1', 'many 2', 'few 2', 'many 3', 'many 4']);
  });

  it('serves a returning team after the waiting ones', () => {
    const lines = new TeamLines<string>();
    lines.push('a', 'a 1');
    lines.push('b', 'b 1');
    lines.push('b', 'b 2');
    expect(served(lines, 1)).toEqual(['a 1']);
    lines.push('a', 'a 2');
    expect(served(lines)).toEqual(['b 1', 'a 2', 'b 2']);
  });

  it('serves ten thousand entries of one team in order among a hundred others', () => {
    const lines = new TeamLines<string>();
    for (let one = 0; one < 10_000; one += 1) lines.push('many', `${one}`);
    for (let team = 0; team < 100; team += 1) lines.push(`team ${team}`, 'x');
    expect(served(lines, 101).filter((one) => one === 'x')).toHaveLength(100);
    expect(served(lines)).toEqual(Array.from({ length: 9_999 }, (_, one) => `${one + 1}`));
  });
});
