import { createHash, createPublicKey, type KeyObject, randomBytes, verify } from 'node:crypto';
import { uint32 } from '../net/bytes.js';
import { type Conversation } from '../net/conversation.js';
import { ProbeFault } from '../net/probe-fault.js';
import { EXCHANGES, keyShare } from './key-exchange.js';
import { fields, mpint, text } from './ssh-wire.js';

/** Our identification string (RFC 4253, section 4.2). */
const OURS = 'SSH-2.0-Daywatch';
/** Lines that a server may send before its identification string. */
const MAX_LINES_BEFORE = 50;
const MAX_PACKET_BYTES = 35_000;

const KEXINIT = 20;
const KEX_ECDH_INIT = 30;
const KEX_ECDH_REPLY = 31;
const DISCONNECT = 1;
const SKIPPED = new Set([2, 3, 4]);

export const HOST_KEY_TYPES = ['ed25519', 'ecdsa', 'rsa'] as const;
export type HostKeyType = (typeof HOST_KEY_TYPES)[number];

/** How the signature of a host key is verified; the first algorithm that the server also has is used. */
const HOST_KEYS: Readonly<Record<string, { type: HostKeyType; digest: string | null }>> = {
  'ssh-ed25519': { type: 'ed25519', digest: null },
  'ecdsa-sha2-nistp256': { type: 'ecdsa', digest: 'sha256' },
  'ecdsa-sha2-nistp384': { type: 'ecdsa', digest: 'sha384' },
  'ecdsa-sha2-nistp521': { type: 'ecdsa', digest: 'sha512' },
  'rsa-sha2-512': { type: 'rsa', digest: 'sha512' },
  'rsa-sha2-256': { type: 'rsa', digest: 'sha256' },
};
/** Never used, because the check ends before anything is encrypted, but both sides must agree on them. */
const CIPHERS = [
  'aes128-ctr',
  'aes256-ctr',
  'aes128-gcm@openssh.com',
  'aes256-gcm@openssh.com',
  'chacha20-poly1305@openssh.com',
];
const MACS = [
  'hmac-sha2-256',
  'hmac-sha2-512',
  'hmac-sha2-256-etm@openssh.com',
  'hmac-sha2-512-etm@openssh.com',
  'hmac-sha1',
];

/** Sends our identification string and returns the server's, such as `SSH-2.0-OpenSSH_9.2`. */
export async function identify(conversation: Conversation): Promise<string> {
  conversation.send(`${OURS}\r\n`);
  for (let lines = 0; lines < MAX_LINES_BEFORE; lines += 1) {
    const line = await conversation.line();
    if (/^SSH-(2\.0|1\.99)-/.test(line)) return line;
    if (line.startsWith('SSH-'))
      throw new ProbeFault('protocol_error', 'The server does not support version 2 of SSH.');
  }
  throw notSsh();
}

/**
 * Runs the key exchange (RFC 4253, section 7) and returns the fingerprint of the server's host key, such as
 * `SHA256:Jcm2…`. The server has proven that it has the key.
 * @param theirs the server's identification string
 * @param type the type of host key to ask for; `null` for any
 */
export async function hostKeyFingerprint(
  conversation: Conversation,
  theirs: string,
  type: HostKeyType | null,
): Promise<string> {
  const algorithms = Object.keys(HOST_KEYS).filter((one) => type === null || HOST_KEYS[one]!.type === type);
  const ourInit = kexInit(algorithms);
  conversation.send(packet(ourInit));
  const theirInit = await message(conversation, KEXINIT);
  const { exchange, algorithm } = agreed(theirInit, algorithms);
  const { ours, secretWith } = keyShare(exchange);
  conversation.send(packet(Buffer.concat([Buffer.from([KEX_ECDH_INIT]), text(ours)])));
  const reply = await message(conversation, KEX_ECDH_REPLY);
  const [hostKey, theirPublic, signature] = fields(reply.subarray(1), 3);
  const secret = secretWith(theirPublic!);
  if (secret === null) throw notSsh();
  const hash = createHash('sha256');
  for (const part of [OURS, theirs, ourInit, theirInit, hostKey!, ours, theirPublic!]) hash.update(text(part));
  const exchangeHash = hash.update(mpint(secret)).digest();
  if (!isSignedBy(hostKey!, signature!, algorithm, exchangeHash)) {
    throw new ProbeFault('protocol_error', 'The server did not prove that it has its host key.');
  }
  return `SHA256:${createHash('sha256').update(hostKey!).digest('base64').replaceAll('=', '')}`;
}

function kexInit(algorithms: readonly string[]): Buffer {
  const names = [EXCHANGES, algorithms, CIPHERS, CIPHERS, MACS, MACS, ['none'], ['none'], [], []];
  const lists = names.map((list) => text(list.join(',')));
  return Buffer.concat([Buffer.from([KEXINIT]), randomBytes(16), ...lists, Buffer.alloc(5)]);
}

/** Returns the algorithms that both sides agree on: of each kind, the first of ours that the server also has. */
function agreed(theirInit: Buffer, algorithms: readonly string[]): { exchange: string; algorithm: string } {
  const [exchanges, hostKeys] = fields(theirInit.subarray(17), 2).map((list) => list.toString('latin1').split(','));
  const exchange = EXCHANGES.find((one) => exchanges!.includes(one));
  if (exchange === undefined) {
    const names = 'curve25519-sha256 nor ecdh-sha2-nistp256';
    throw new ProbeFault('protocol_error', `The server supports neither the key exchange ${names}.`);
  }
  const algorithm = algorithms.find((one) => hostKeys!.includes(one));
  if (algorithm === undefined)
    throw new ProbeFault('protocol_error', 'The server has no host key of a supported type.');
  return { exchange, algorithm };
}

/** Wraps a payload in an unencrypted packet (RFC 4253, section 6). */
function packet(payload: Buffer): Buffer {
  // At least four bytes, so that the whole is a multiple of eight bytes long.
  const least = 4;
  const padding = least + ((8 - ((5 + payload.length + least) % 8)) % 8);
  const head = Buffer.concat([uint32(payload.length + padding + 1), Buffer.from([padding])]);
  return Buffer.concat([head, payload, Buffer.alloc(padding)]);
}

/** Reads packets up to the first one of this type, and returns its payload. */
async function message(conversation: Conversation, type: number): Promise<Buffer> {
  for (;;) {
    const length = (await conversation.bytes(4)).readUInt32BE();
    if (length < 2 || length > MAX_PACKET_BYTES) throw notSsh();
    const content = await conversation.bytes(length);
    const payload = content.subarray(1, length - content[0]!);
    if (payload[0] === type) return payload;
    if (payload[0] === DISCONNECT) throw new ProbeFault('connection_reset', 'The server ended the SSH connection.');
    if (!SKIPPED.has(payload[0]!)) throw notSsh();
  }
}

function isSignedBy(hostKey: Buffer, signature: Buffer, algorithm: string, data: Buffer): boolean {
  const [signedWith, bytes] = fields(signature, 2);
  if (signedWith!.toString('latin1') !== algorithm) return false;
  const { digest } = HOST_KEYS[algorithm]!;
  try {
    return verify(digest, data, keyOf(hostKey), algorithm.startsWith('ecdsa') ? derOf(bytes!) : bytes!);
  } catch {
    return false;
  }
}

/** Returns a host key (RFC 4253, section 6.6; RFC 5656; RFC 8709) in a form that can verify. */
function keyOf(hostKey: Buffer): KeyObject {
  const [type, ...rest] = fields(hostKey, 3, { least: 2 });
  const base64url = (bytes: Buffer): string => bytes.toString('base64url');
  const jwk = (key: object): KeyObject => createPublicKey({ key: key as never, format: 'jwk' });
  switch (type!.toString('latin1')) {
    case 'ssh-ed25519':
      return jwk({ kty: 'OKP', crv: 'Ed25519', x: base64url(rest[0]!) });
    case 'ssh-rsa':
      return jwk({ kty: 'RSA', e: base64url(rest[0]!), n: base64url(rest[1]!) });
    default: {
      const [curve, point] = rest;
      const size = (point!.length - 1) / 2;
      const crv = `P-${curve!.toString('latin1').replace('nistp', '')}`;
      const [x, y] = [point!.subarray(1, 1 + size), point!.subarray(1 + size)];
      return jwk({ kty: 'EC', crv, x: base64url(x), y: base64url(y) });
    }
  }
}

/** Converts an ECDSA signature of SSH (RFC 5656, section 3.1.2) to DER. */
function derOf(signature: Buffer): Buffer {
  const numbers = fields(signature, 2).map((number) => der(0x02, number));
  return der(0x30, Buffer.concat(numbers));
}

function der(tag: number, content: Buffer): Buffer {
  const length = content.length < 0x80 ? [content.length] : [0x81, content.length];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

function notSsh(): ProbeFault {
  return new ProbeFault('protocol_error', 'The server does not speak SSH.');
}
