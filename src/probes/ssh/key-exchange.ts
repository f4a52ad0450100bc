import { createECDH, createPublicKey, diffieHellman, generateKeyPairSync, type KeyObject } from 'node:crypto';

const NIST_P256 = 'ecdh-sha2-nistp256';
/** The key exchanges (RFC 8731, under both of its names, and RFC 5656), all of which hash with SHA-256. */
export const EXCHANGES = ['curve25519-sha256', 'curve25519-sha256@libssh.org', NIST_P256];

/** Our part of a key exchange. */
export interface KeyShare {
  /** Our public key as it is transmitted. */
  ours: Buffer;
  /** Returns the secret that is shared with the owner of a public key, or `null` if that is invalid. */
  secretWith: (theirs: Buffer) => Buffer | null;
}

/** Returns a new key for one of `EXCHANGES`. */
export function keyShare(exchange: string): KeyShare {
  return exchange === NIST_P256 ? nistShare() : curve25519Share();
}

function nistShare(): KeyShare {
  const keys = createECDH('prime256v1');
  return { ours: keys.generateKeys(), secretWith: (theirs) => unlessInvalid(() => keys.computeSecret(theirs)) };
}

/** The SubjectPublicKeyInfo of an X25519 key (RFC 8410) up to the key. */
const X25519_HEAD = Buffer.from('302a300506032b656e032100', 'hex');
const X25519_BYTES = 32;

function curve25519Share(): KeyShare {
  const { publicKey, privateKey } = generateKeyPairSync('x25519');
  return {
    ours: publicKey.export({ type: 'spki', format: 'der' }).subarray(X25519_HEAD.length),
    // The shared secret of a point of low order would be zero, so it is invalid.
    secretWith: (theirs) => unlessInvalid(() => diffieHellman({ privateKey, publicKey: x25519Key(theirs) })),
  };
}

function x25519Key(raw: Buffer): KeyObject {
  if (raw.length !== X25519_BYTES) throw new Error('the key has the wrong length');
  return createPublicKey({ key: Buffer.concat([X25519_HEAD, raw]), format: 'der', type: 'spki' });
}

function unlessInvalid(secret: () => Buffer): Buffer | null {
  try {
    return secret();
  } catch {
    return null;
  }
}
