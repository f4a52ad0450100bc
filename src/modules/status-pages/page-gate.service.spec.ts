import { beforeEach, describe, expect, it } from '@jest/globals';
import { scryptSync } from 'node:crypto';
import { type ProblemException } from '../../http/problems/problem.js';
import { PageGate } from './page-gate.service.js';

/** Returns a hash with low cost, which works because stored hashes contain their parameters. */
function cheapHash(password: string): string {
  const salt = Buffer.alloc(16, 1);
  const hash = scryptSync(password, salt, 32, { N: 2, r: 1, p: 1 });
  return ['scrypt', 1, 1, 1, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

const DOOR = { slug: 'shop', passwordHash: cheapHash('right') };
let gate: PageGate;
beforeEach(() => {
  gate = new PageGate();
});

async function knock(password: string | null, address = '192.0.2.1', door = DOOR): Promise<number> {
  const authorization =
    password === null ? undefined : `Basic ${Buffer.from(`anybody:${password}`).toString('base64')}`;
  try {
    await gate.admit(door, { authorization, address });
    return 200;
  } catch (error) {
    return (error as ProblemException).getStatus();
  }
}

const times = <T>(count: number, of: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => of(index));

describe('PageGate', () => {
  it('admits visitors with the password, and challenges others', async () => {
    expect([await knock(null), await knock('wrong'), await knock('right'), await knock('right')]).toEqual([
      401, 401, 200, 200,
    ]);
    const refused = await gate.admit(DOOR, { authorization: undefined, address: '' }).catch((error: unknown) => error);
    expect((refused as ProblemException).headers).toEqual({
      'WWW-Authenticate': 'Basic realm="status page shop", charset="UTF-8"',
    });
  });

  it('rejects only an address with 10 failures, even with the correct password', async () => {
    for (let n = 0; n < 20; n += 1) expect(await knock('right')).toBe(200);
    for (let n = 0; n < 10; n += 1) expect(await knock(`wrong ${n}`)).toBe(401);
    expect([await knock('wrong'), await knock('right'), await knock(null)]).toEqual([429, 429, 401]);
    expect(await knock('right', '192.0.2.2')).toBe(200);
  });

  it('counts concurrent guesses', async () => {
    const answers = await Promise.all(times(14, (n) => knock(`guess ${n}`)));
    expect(answers.filter((status) => status === 401)).toHaveLength(10);
    expect(answers.filter((status) => status === 429)).toHaveLength(4);
  });

  it('verifies a password that is sent concurrently only once', async () => {
    expect(await Promise.all(times(40, () => knock('right')))).toEqual(times(40, () => 200));
    expect(await knock('right')).toBe(200);
  });

  it('limits the number of waiting guesses, and does not count rejected ones as failures', async () => {
    const crowd = await Promise.all(times(40, (n) => knock(`guess ${n}`, `198.51.100.${n}`)));
    expect(crowd.filter((status) => status === 401)).toHaveLength(16);
    expect(crowd.filter((status) => status === 429)).toHaveLength(24);
    for (let n = 0; n < 10; n += 1) expect(await knock(`again ${n}`, '198.51.100.39')).toBe(401);
  });

  it('does not accept a cached password after the password has changed', async () => {
    expect(await knock('right')).toBe(200);
    expect(await knock('right', undefined, { ...DOOR, passwordHash: cheapHash('other') })).toBe(401);
  });

  it('admits nobody if the stored hash is invalid', async () => {
    await expect(
      gate.admit({ slug: 'shop', passwordHash: '' }, { authorization: `Basic ${btoa('a:b')}`, address: '' }),
    ).rejects.toThrow('Decoding failed');
    expect(await knock('right')).toBe(200);
  });
});
