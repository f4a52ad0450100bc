import { describe, expect, it } from '@jest/globals';
import { type ProblemException } from '../../http/problems/problem.js';
import { type Scope } from '../../http/auth/principal.js';
import { adminUntil, assertWithin, readDefinition } from './api-key-definition.js';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const valid = { name: 'CI', scopes: ['write'] };

function faults(work: () => unknown): (string | undefined)[][] {
  try {
    work();
  } catch (error) {
    return ((error as ProblemException).errors ?? []).map(({ pointer, code }) => [pointer, code]);
  }
  return [];
}

describe('readDefinition', () => {
  it.each([
    [valid, null],
    [{ ...valid, expiresAt: null }, null],
    [{ ...valid, expiresAt: '2026-01-01T00:00:00.001Z' }, '2026-01-01T00:00:00.001Z'],
    [{ ...valid, expiresAt: '2026-01-01T01:00:00+00:30' }, '2026-01-01T00:30:00.000Z'],
    [{ ...valid, expiresAt: '9999-12-31T23:59:59.999999z' }, '9999-12-31T23:59:59.999Z'],
  ])('accepts %j', (body, expiresAt) => {
    const definition = readDefinition(body, NOW);
    expect(definition).toEqual({
      name: 'CI',
      scopes: ['write'],
      expiresAt: expiresAt === null ? null : expect.any(Date),
    });
    expect(definition.expiresAt?.toISOString() ?? null).toBe(expiresAt);
  });

  it.each<[unknown, string, string]>([
    [{ scopes: ['read'] }, '/name', 'required'],
    [{ ...valid, name: null }, '/name', 'required'],
    [{ ...valid, name: '' }, '/name', 'too_short'],
    [{ ...valid, name: 'x'.repeat(201) }, '/name', 'too_long'],
    [{ ...valid, name: 'a\0' }, '/name', 'forbidden_character'],
    [{ ...valid, name: 7 }, '/name', 'invalid_type'],
    [{ name: 'CI' }, '/scopes', 'required'],
    [{ ...valid, scopes: 'admin' }, '/scopes', 'invalid_type'],
    [{ ...valid, scopes: [] }, '/scopes', 'too_short'],
    [{ ...valid, scopes: ['read', 'read'] }, '/scopes', 'duplicate'],
    [{ ...valid, scopes: ['read', 'root'] }, '/scopes/1', 'invalid_value'],
    [{ ...valid, scopes: [null] }, '/scopes/0', 'invalid_type'],
    [{ ...valid, expiresAt: '2026-01-01T00:00:00.000Z' }, '/expiresAt', 'out_of_range'],
    [{ ...valid, expiresAt: '2020-01-01T00:00:00Z' }, '/expiresAt', 'out_of_range'],
    [{ ...valid, expiresAt: '2030-01-01' }, '/expiresAt', 'invalid_value'],
    [{ ...valid, expiresAt: '2030-01-01T00:00:00' }, '/expiresAt', 'invalid_value'],
    [{ ...valid, expiresAt: '2030-02-30T00:00:00Z' }, '/expiresAt', 'invalid_value'],
    [{ ...valid, expiresAt: '2030-01-01T00:00:60Z' }, '/expiresAt', 'invalid_value'],
    [{ ...valid, expiresAt: '2030-W01-1T00:00:00Z' }, '/expiresAt', 'invalid_value'],
    [{ ...valid, expiresAt: '2030-001T00:00:00Z' }, '/expiresAt', 'invalid_value'],
    [{ ...valid, expiresAt: '' }, '/expiresAt', 'invalid_value'],
    [{ ...valid, expiresAt: 1_893_456_000 }, '/expiresAt', 'invalid_value'],
    [{ ...valid, secret: 'dw_x' }, '/secret', 'read_only_field'],
    [{ ...valid, id: 'x' }, '/id', 'read_only_field'],
    [{ ...valid, revision: 1 }, '/revision', 'read_only_field'],
    [{ ...valid, teamId: 'x' }, '/teamId', 'unknown_field'],
    [[valid], '', 'invalid_type'],
    [null, '', 'invalid_type'],
  ])('refuses %j at %s with %s', (body, pointer, code) => {
    expect(faults(() => readDefinition(body, NOW))).toEqual([[pointer, code]]);
  });

  it('reports every error at once', () => {
    const body = { name: '', scopes: ['x'], expiresAt: '2020-01-01T00:00:00Z', id: 1 };
    expect(faults(() => readDefinition(body, NOW)).map(([pointer]) => pointer)).toEqual([
      '/id',
      '/name',
      '/scopes/0',
      '/expiresAt',
    ]);
  });

  it('accepts an expiry in the past only if it is the stored one', () => {
    const past = new Date(NOW - 1);
    expect(readDefinition({ ...valid, expiresAt: past.toISOString() }, NOW, past).expiresAt).toEqual(past);
    expect(faults(() => readDefinition({ ...valid, expiresAt: past.toISOString() }, NOW, new Date(NOW - 2)))).toEqual([
      ['/expiresAt', 'out_of_range'],
    ]);
  });
});

describe('assertWithin', () => {
  const grant = (scope: Scope, end: number | null) => ({
    scopes: [scope],
    expiresAt: end === null ? null : new Date(end),
  });

  it.each<[Scope, number | null, Scope, number | null, string[]]>([
    ['admin', null, 'admin', null, []],
    ['admin', null, 'read', 1, []],
    ['admin', 100, 'admin', 100, []],
    ['admin', 100, 'admin', 99, []],
    ['admin', 100, 'admin', 101, ['/expiresAt']],
    ['admin', 100, 'read', null, ['/expiresAt']],
    ['write', null, 'write', null, []],
    ['write', null, 'admin', null, ['/scopes']],
    ['read', 100, 'write', null, ['/scopes', '/expiresAt']],
  ])('for the caller %s until %s and the key %s until %s, reports %j', (ownScope, ownEnd, scope, end, pointers) => {
    const found = faults(() => assertWithin(grant(ownScope, ownEnd), grant(scope, end)));
    expect(found).toEqual(pointers.map((pointer) => [pointer, 'exceeds_own']));
  });
});

describe('adminUntil', () => {
  it.each<[Scope[], number | null, number | null, number]>([
    [['admin'], null, null, Infinity],
    [['read', 'admin'], null, null, Infinity],
    [['write'], null, null, NOW],
    [['admin'], NOW + 1, null, NOW + 1],
    [['admin'], NOW, null, NOW],
    [['admin'], NOW - 1, null, NOW],
    [['admin'], null, NOW - 1, NOW],
  ])('for %j expiring at %s and revoked at %s, returns %s', (scopes, expires, revoked, expected) => {
    const date = (ms: number | null) => (ms === null ? null : new Date(ms));
    expect(adminUntil({ scopes, expiresAt: date(expires), revokedAt: date(revoked) }, NOW)).toBe(expected);
  });
});
