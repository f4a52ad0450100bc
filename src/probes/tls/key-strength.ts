import { type KeyObject } from 'node:crypto';

/** The strengths that a monitor can require, in bits. */
export const STRENGTHS = [112, 128, 192, 256] as const;

/** The strength of keys that are as long as this, in bits: NIST SP 800-57 Part 1, table 2. The longest first. */
const OF_RSA: readonly [length: number, strength: number][] = [
  [15_360, 256],
  [7_680, 192],
  [3_072, 128],
  [2_048, 112],
  [1_024, 80],
];
const OF_CURVES: Readonly<Record<string, number>> = {
  secp224r1: 112,
  prime256v1: 128,
  secp256k1: 128,
  brainpoolP256r1: 128,
  secp384r1: 192,
  brainpoolP384r1: 192,
  secp521r1: 256,
  brainpoolP512r1: 256,
};
const OF_TYPES: Readonly<Record<string, number>> = {
  ed25519: 128,
  ed448: 224,
  'ml-dsa-44': 128,
  'ml-dsa-65': 192,
  'ml-dsa-87': 256,
};

/** Returns the security strength of a public key in bits; 0 if it is not known. */
export function keyStrength({ asymmetricKeyType: type, asymmetricKeyDetails: details = {} }: KeyObject): number {
  const { modulusLength = 0, namedCurve = '' } = details;
  if (type === 'ec') return OF_CURVES[namedCurve] ?? 0;
  if (modulusLength > 0) return OF_RSA.find(([length]) => modulusLength >= length)?.[1] ?? 0;
  return OF_TYPES[String(type)] ?? 0;
}

/** Returns what kind of key it is, such as "RSA, 2048 bits" or "EC, prime256v1". */
export function keyWords({ asymmetricKeyType: type, asymmetricKeyDetails: details = {} }: KeyObject): string {
  const { modulusLength, namedCurve } = details;
  const name = String(type).toUpperCase();
  if (modulusLength !== undefined) return `${name}, ${modulusLength} bits`;
  return namedCurve === undefined ? name : `${name}, ${namedCurve}`;
}
