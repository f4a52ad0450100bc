import { describe, expect, it } from '@jest/globals';
import { Scram } from './scram.js';

/** The examples of RFC 5802, section 5, and of RFC 7677, section 3. */
const EXAMPLES = [
  {
    hash: 'sha1' as const,
    nonce: 'fyko+d2lbbFgONRv9qkxdawL',
    serverFirst: 'r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j,s=QSXCR+Q6sek8bf92,i=4096',
    clientFinal: 'c=biws,r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j,p=v0X8v3Bz2T0CJGbJQyF0X+HI4Ts=',
    serverFinal: 'v=rmF9pqV8S7suAoZWja4dJRkFsKQ=',
  },
  {
    hash: 'sha256' as const,
    nonce: 'rOprNGfwEbeRWgbNEkqO',
    serverFirst: 'r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096',
    clientFinal:
      'c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=',
    serverFinal: 'v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=',
  },
];

describe('Scram', () => {
  it.each(EXAMPLES)(
    'follows the example with $hash',
    async ({ hash, nonce, serverFirst, clientFinal, serverFinal }) => {
      const scram = new Scram(hash, 'user', 'pencil', nonce);
      expect(scram.clientFirst).toBe(`n,,n=user,r=${nonce}`);
      expect(await scram.clientFinal(serverFirst)).toBe(clientFinal);
      expect(() => scram.verify(serverFinal)).not.toThrow();
      expect(() => scram.verify('v=AAAA')).toThrow('SCRAM');
      expect(() => scram.verify('e=invalid-proof')).toThrow('SCRAM');
    },
  );

  it.each([
    ['another nonce', 'r=other,s=QSXCR+Q6sek8bf92,i=4096'],
    ['no salt', 'r=abcd,i=4096'],
    ['too many iterations', 'r=abcd,s=QSXCR+Q6sek8bf92,i=2000000000'],
    ['no iterations', 'r=abcd,s=QSXCR+Q6sek8bf92,i=0'],
    ['an error', 'e=other-error'],
  ])('rejects %s', async (_, serverFirst) => {
    await expect(new Scram('sha256', 'user', 'pencil', 'ab').clientFinal(serverFirst)).rejects.toThrow('SCRAM');
  });

  it('escapes the username, and has a new nonce each time', () => {
    const [one, two] = [1, 2].map(() => new Scram('sha256', 'a=b,c', 'x').clientFirst);
    expect(one).toContain('n=a=3Db=2Cc,');
    expect(one).not.toBe(two);
  });
});
