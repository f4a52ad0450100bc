import { describe, expect, it } from '@jest/globals';
import { jsonPathProblem, queryJson } from './json-query.js';
import { findsPattern, patternProblem } from './text-pattern.js';
import { cpuMs } from '../../test/support/cpu-time.js';

const MIB = 1024 * 1024;

describe('hostile expressions', () => {
  it.each([
    ['$' + '[*,*]'.repeat(10), 'too many selectors'],
    ['$[' + Array(20).fill('*').join() + ']', 'too many selectors'],
    ['$[?count(@[*,*,*,*,*]) > 1 && @[*,*,*,*]]', 'too many selectors'],
    ['$[?count($[*]) > 1]', 'single node'],
    ['$..[?$..a]', 'single node'],
    ['$[?@[?count($..*) > 1]]', 'single node'],
    ['$[?match(@.a, @.b)]', 'string literal'],
    ["$[?match(@.a, '(')]", 'regexp'],
    ["$[?!(search(@.a, 'x{999}'))]", 'too large'],
  ])('refuses %s with: %s', (path, reason) => {
    expect(jsonPathProblem(path)).toContain(reason);
  });

  it.each<[string, unknown]>([
    ['$..*..*..*..*', Array.from({ length: 2_000 }, () => Array.from({ length: 100 }, () => [1]))],
    ['$..[?@..[?@..*]]', Array.from({ length: 100_000 }, () => [[1]])],
    ["$[?search(@, '(a|aa)+$')]", ['a'.repeat(50_000) + 'b']],
    ['$..*', nested(10_000)],
  ])('stops %s in time, with or without a result', (path, document) => {
    const startedAt = cpuMs();
    try {
      expect(queryJson(path, document).length).toBeLessThanOrEqual(10_000);
    } catch (error) {
      expect(String(error)).toContain('recursion limit');
    }
    expect(cpuMs() - startedAt).toBeLessThan(5_000);
  });

  it('limits each query separately', () => {
    expect(() =>
      queryJson(
        '$..*..*..nope',
        Array.from({ length: 3_000 }, () => Array.from({ length: 300 }, () => [1])),
      ),
    ).toThrow();
    expect(queryJson('$..a', { a: 1, b: { a: 2 } })).toEqual([1, 2]);
  });

  it.each(['(a*)*b', '(a|aa)*b', '(.*)(.*)(.*)(.*)c$', '(?i)(x+x+)+y'])('runs %s in linear time', (pattern) => {
    expect(patternProblem(pattern)).toBeNull();
    const startedAt = cpuMs();
    findsPattern(pattern, 'a'.repeat(MIB));
    expect(cpuMs() - startedAt).toBeLessThan(5_000);
  });
});

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < depth; i += 1) value = [value];
  return value;
}
