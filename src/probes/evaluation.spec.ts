import { expect, it, jest } from '@jest/globals';
import { JSONPathEnvironment } from 'json-p3';
import { RE2JS } from 're2js';
import { queryJson } from '../domain/json-query.js';
import { findsPattern } from '../domain/text-pattern.js';
import { evaluateWithin } from './evaluation.js';

it('uses nothing that an interrupted evaluation may have damaged', () => {
  const compiledPatterns = jest.spyOn(RE2JS, 'compile');
  const compiledPaths = jest.spyOn(JSONPathEnvironment.prototype, 'compile');
  const evaluate = () => {
    findsPattern('never compiled before', '');
    queryJson('$.neverCompiledBefore', {});
  };
  for (let run = 0; run < 2; run += 1) expect(evaluateWithin(10_000, evaluate)).toBe('done');
  expect([compiledPatterns, compiledPaths].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
  const endless = () => {
    for (;;);
  };
  expect(['spent', 'held up']).toContain(evaluateWithin(50, endless));
  expect(evaluateWithin(10_000, evaluate)).toBe('done');
  expect([compiledPatterns, compiledPaths].map(({ mock }) => mock.calls.length)).toEqual([2, 2]);
});
