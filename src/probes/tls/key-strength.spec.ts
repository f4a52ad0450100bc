import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { keyStrength, keyWords } from './key-strength.js';

const ec = (namedCurve: string): KeyObject => generateKeyPairSync('ec', { namedCurve }).publicKey;
const rsa = (modulusLength: number): KeyObject => generateKeyPairSync('rsa', { modulusLength }).publicKey;

describe('the strength of a key', () => {
  it.each<[() => KeyObject, number, string]>([
    [() => rsa(1_024), 80, 'RSA, 1024 bits'],
    [() => rsa(2_047), 80, 'RSA, 2047 bits'],
    [() => rsa(2_048), 112, 'RSA, 2048 bits'],
    [() => rsa(3_072), 128, 'RSA, 3072 bits'],
    [() => rsa(512), 0, 'RSA, 512 bits'],
    [() => ec('prime256v1'), 128, 'EC, prime256v1'],
    [() => ec('secp384r1'), 192, 'EC, secp384r1'],
    [() => ec('secp521r1'), 256, 'EC, secp521r1'],
    [() => ec('secp160r1'), 0, 'EC, secp160r1'],
    [() => generateKeyPairSync('ed25519').publicKey, 128, 'ED25519'],
  ])('case %#', (make, strength, words) => {
    const key = make();
    expect([keyStrength(key), keyWords(key)]).toEqual([strength, words]);
  });
});
