import { describe, expect, it } from '@jest/globals';
import { PROBLEMS, type ProblemCode } from '../../http/problems/problem-codes.js';
import { ProblemException } from '../../http/problems/problem.js';
import { attempt } from './attempt.js';

const fail = (code: ProblemCode) => () =>
  Promise.reject(new ProblemException(PROBLEMS[code].status, code, 'Not possible.'));

describe('attempt', () => {
  it('returns the result', async () => {
    expect(await attempt(() => Promise.resolve(5))).toEqual({ value: 5, refusal: null });
  });

  it.each<[ProblemCode, string, Record<string, string>]>([
    ['forbidden', 'Not possible.', {}],
    ['conflict', 'Not possible.', {}],
    ['precondition_failed', expect.stringContaining('Someone else changed this') as never, {}],
    ['validation_failed', 'Not possible.', {}],
    ['rate_limited', 'Not possible.', {}],
    ['unavailable', 'Not possible.', { 'Retry-After': '5' }],
  ])('returns %s as a refusal', async (code, detail, headers) => {
    expect(await attempt(fail(code))).toMatchObject({ value: null, refusal: { code, detail, headers } });
  });

  it.each<ProblemCode>(['not_found', 'internal_error', 'database_unavailable'])('rethrows %s', async (code) => {
    await expect(attempt(fail(code))).rejects.toMatchObject({ code });
  });

  it('rethrows what is not a problem', async () => {
    await expect(attempt(() => Promise.reject(new Error('x')))).rejects.toThrow('x');
  });
});
