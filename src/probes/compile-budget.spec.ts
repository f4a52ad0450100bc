import { describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { AssertionDto } from './assertion.dto.js';
import { compileBudget } from './compile-budget.js';
import { HttpFields } from './http/http-fields.dto.js';
import { threadTimeMs } from './time-limit.js';

/** Case-insensitive ranges over most of Unicode: the slowest patterns of their length to compile. */
const SLOW = `(?i)${'[a-\\x{10FFFF}]'.repeat(30)}`;

const assertion = { source: 'textBody', comparison: 'matches', target: SLOW };

describe('the compilation of patterns', () => {
  it('is bounded for all assertions of a body together', () => {
    const fields = plainToInstance(HttpFields, { url: 'https://a.example', assertions: Array(20).fill(assertion) });
    const before = threadTimeMs();
    const problems = validateSync(fields);
    // Without the bound, it would take many times as long.
    expect(threadTimeMs() - before).toBeLessThan(1_000);
    expect(JSON.stringify(problems)).toContain('it takes too long to compile');
  });

  it('happens once for each assertion, whatever number of rules asks for it', () => {
    const [usual] = plainToInstance(AssertionDto, [{ ...assertion, target: '(?i)\\pL{1,50} \\d{4}' }]);
    expect(validateSync(usual!)).toEqual([]);
    const before = threadTimeMs();
    for (let i = 0; i < 100; i++) validateSync(usual!);
    expect(threadTimeMs() - before).toBeLessThan(500);
  });

  it('has a budget of its own for each body, also for bodies that are validated in turn', () => {
    const bodies = [SLOW, 'usual', SLOW, 'usual'].map((target) =>
      plainToInstance(HttpFields, { url: 'https://a.example', assertions: Array(20).fill({ ...assertion, target }) }),
    );
    expect(bodies.map((body) => validateSync(body).length)).toEqual([1, 0, 1, 0]);
  });

  it('fails once the budget is used up', () => {
    const endless = (): never => {
      for (;;);
    };
    const within = compileBudget();
    expect(() => within(endless)).toThrow('takes too long');
    expect(() => within(() => 1)).toThrow('takes too long');
    expect(compileBudget()(() => 1)).toBe(1);
  });

  it('passes on what is wrong with the input', () => {
    const fail = () => {
      throw new Error('missing )');
    };
    expect(() => compileBudget()(fail)).toThrow('missing )');
  });
});
