import {
  createECDH,
  createHash,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import { type Socket } from 'node:net';
import { uint32 } from '../../src/probes/net/bytes.js';
import { mpint, text } from '../../src/probes/ssh/ssh-wire.js';

/** A host key as a server presents it. */
export interface SshServerKey {
  algorithm: string;
  /** The public key as it is transmitted. */
  blob: Buffer;
  fingerprint: string;
  /** Returns a signature as it is transmitted. */
  sign: (data: Buffer) => Buffer;
}

/** Returns a new host key. */
export function sshServerKey(type: 'ed25519' | 'ecdsa' | 'rsa'): SshServerKey {
  const key = (algorithm: string, blob: Buffer, signed: (data: Buffer) => Buffer): SshServerKey => ({
    algorithm,
    blob,
    fingerprint: `SHA256:${createHash('sha256').update(blob).digest('base64').replaceAll('=', '')}`,
    sign: (data) => Buffer.concat([text(algorithm), text(signed(data))]),
  });
  const bytes = (part: string | undefined): Buffer => Buffer.from(part!, 'base64url');
  if (type === 'ed25519') {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const { x } = publicKey.export({ format: 'jwk' });
    const blob = Buffer.concat([text('ssh-ed25519'), text(bytes(x))]);
    return key('ssh-ed25519', blob, (data) => sign(null, data, privateKey));
  }
  if (type === 'rsa') {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const { e, n } = publicKey.export({ format: 'jwk' });
    const blob = Buffer.concat([text('ssh-rsa'), mpint(bytes(e)), mpint(bytes(n))]);
    return key('rsa-sha2-512', blob, (data) => sign('sha512', data, privateKey));
  }
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y } = publicKey.export({ format: 'jwk' });
  const point = Buffer.concat([Buffer.from([4]), bytes(x), bytes(y)]);
  const blob = Buffer.concat([text('ecdsa-sha2-nistp256'), text('nistp256'), text(point)]);
  return key('ecdsa-sha2-nistp256', blob, (data) => {
    const raw = sign('sha256', data, { key: privateKey, dsaEncoding: 'ieee-p1363' });
    return Buffer.concat([mpint(raw.subarray(0, 32)), mpint(raw.subarray(32))]);
  });
}

const IDENTIFICATION = 'SSH-2.0-Test';
const X25519_HEAD = Buffer.from('302a300506032b656e032100', 'hex');

/** Returns a script of an SSH server up to the end of the key exchange, which is the first of `exchanges`. */
export function sshServer(key: SshServerKey, exchanges = ['curve25519-sha256']): (socket: Socket) => void {
  return (socket) => {
    const init = kexInit(key, exchanges);
    socket.write(`${IDENTIFICATION}\r\n`);
    socket.write(packet(init));
    let unread = Buffer.alloc(0);
    let theirId = '';
    let theirInit = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      unread = Buffer.concat([unread, chunk]);
      if (theirId === '') {
        const end = unread.indexOf('\r\n');
        if (end < 0) return;
        theirId = unread.toString('latin1', 0, end);
        unread = unread.subarray(end + 2);
      }
      while (unread.length >= 4 && unread.length >= 4 + unread.readUInt32BE()) {
        const length = unread.readUInt32BE();
        const payload = unread.subarray(5, 4 + length - unread[4]!);
        unread = unread.subarray(4 + length);
        if (payload[0] === 20) theirInit = Buffer.from(payload);
        if (payload[0] === 30)
          socket.write(packet(reply(key, [theirId, IDENTIFICATION, theirInit, init], payload.subarray(5), exchanges)));
      }
    });
  };
}

function kexInit({ algorithm }: SshServerKey, exchanges: readonly string[]): Buffer {
  const names = [
    exchanges.join(','),
    algorithm,
    ...Array<string>(2).fill('aes128-ctr'),
    ...Array<string>(2).fill('hmac-sha2-256'),
  ];
  return Buffer.concat([
    Buffer.from([20]),
    Buffer.alloc(16, 3),
    ...[...names, 'none', 'none', '', ''].map(text),
    Buffer.alloc(5),
  ]);
}

function reply(key: SshServerKey, said: (string | Buffer)[], theirs: Buffer, [exchange]: readonly string[]): Buffer {
  const { ours, secret } = exchange === 'ecdh-sha2-nistp256' ? nistExchange(theirs) : curve25519Exchange(theirs);
  const hash = createHash('sha256');
  for (const part of [...said, key.blob, theirs, ours]) hash.update(text(part));
  const signature = key.sign(hash.update(mpint(secret)).digest());
  return Buffer.concat([Buffer.from([31]), text(key.blob), text(ours), text(signature)]);
}

interface Exchanged {
  ours: Buffer;
  secret: Buffer;
}

function nistExchange(theirPublic: Buffer): Exchanged {
  const keys = createECDH('prime256v1');
  return { ours: keys.generateKeys(), secret: keys.computeSecret(theirPublic) };
}

function curve25519Exchange(theirPublic: Buffer): Exchanged {
  const { publicKey, privateKey } = generateKeyPairSync('x25519');
  const ours = publicKey.export({ type: 'spki', format: 'der' }).subarray(X25519_HEAD.length);
  const theirs: KeyObject = createPublicKey({
    key: Buffer.concat([X25519_HEAD, theirPublic]),
    format: 'der',
    type: 'spki',
  });
  return { ours, secret: diffieHellman({ privateKey, publicKey: theirs }) };
}

function packet(payload: Buffer): Buffer {
  const padding = 4 + ((8 - ((9 + payload.length) % 8)) % 8);
  return Buffer.concat([uint32(payload.length + padding + 1), Buffer.from([padding]), payload, Buffer.alloc(padding)]);
}
