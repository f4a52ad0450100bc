import { constants, createHash, publicEncrypt } from 'node:crypto';
import { cString } from '../net/bytes.js';
import { type Conversation } from '../net/conversation.js';
import { ProbeFault } from '../net/probe-fault.js';
import { CONNECT_WITH_DB, handshakeHead, lengthAt, notMysql, Packets, readGreeting, SSL } from './mysql-wire.js';

/** The credentials of a check, and how it starts TLS. */
export interface MysqlLogin {
  username: string;
  password: string;
  database: string | null;
  /** Starts TLS; `null` to sign in without it. */
  secure: (() => Promise<void>) | null;
}

/** The first byte of a packet. */
const OK = 0x00;
const MORE_DATA = 0x01;
const FILE_REQUEST = 0xfb;
const NULL_VALUE = 0xfb;
const SWITCH = 0xfe;
const END_OF_ROWS = 0xfe;
const ERROR = 0xff;
/** A row that begins with this byte is longer. */
const MAX_END_OF_ROWS_BYTES = 8;

/** The methods of authentication. */
const NATIVE = 'mysql_native_password';
const CACHING = 'caching_sha2_password';
const METHODS: ReadonlySet<string> = new Set([NATIVE, CACHING]);

/** What a server may send in `caching_sha2_password`. */
const FAST_SUCCESS = 3;
const FULL_AUTHENTICATION = 4;
const REQUEST_PUBLIC_KEY = Buffer.from([2]);

const QUERY = Buffer.from([3]);
/** The whole packet. */
const QUIT = Buffer.from([1, 0, 0, 0, 1]);
/** Access denied to a database, for a user, and for a user without a password. */
const OF_ACCESS = new Set([1044, 1045, 1698]);

/** Signs in, and returns what reads the packets that follow. @throws ProbeFault */
export async function signIn(conversation: Conversation, login: MysqlLogin): Promise<Packets> {
  conversation.leaveWith(QUIT);
  const packets = new Packets(conversation);
  const { secure, password } = login;
  const greeting = readGreeting(unlessError(await packets.next()));
  if (secure) {
    if (!greeting.offersTls) throw new ProbeFault('tls_failed', 'The server does not offer TLS.');
    packets.send(handshakeHead(SSL));
    await secure();
  }
  let { challenge } = greeting;
  // The greeting names the default of the server, and the user may have another method: then the server switches to it.
  let plugin = METHODS.has(greeting.plugin) ? greeting.plugin : NATIVE;
  packets.send(handshakeResponse(login, plugin, challenge));
  for (;;) {
    const packet = unlessError(await packets.next());
    const [kind, detail] = packet;
    if (kind === OK) return packets;
    if (kind === SWITCH) {
      const end = packet.indexOf(0, 1);
      if (end < 0) throw unsupported();
      [plugin, challenge] = [packet.toString('latin1', 1, end), packet.subarray(end + 1, end + 21)];
      packets.send(proofOf(plugin, password, challenge));
    } else if (kind !== MORE_DATA) throw notMysql();
    else if (detail === FULL_AUTHENTICATION) packets.send(secure ? cString(password) : REQUEST_PUBLIC_KEY);
    else if (detail !== FAST_SUCCESS) packets.send(encrypted(password, challenge, packet.toString('latin1', 1)));
  }
}

/** Runs a statement and returns the first value of its first row as text; `undefined` without rows. @throws ProbeFault */
export async function firstValue(packets: Packets, statement: string): Promise<string | null | undefined> {
  packets.command(Buffer.concat([QUERY, Buffer.from(statement)]));
  const head = unlessError(await packets.next());
  if (head[0] === OK) return undefined;
  // The response would be a file of this machine (LOAD DATA LOCAL).
  if (head[0] === FILE_REQUEST) throw new ProbeFault('command_failed', 'The server asked for a file to load.');
  // The descriptions of the columns, and the packet that ends them.
  for (let left = lengthAt(head, 0).value; left >= 0; left -= 1) await packets.next();
  let value: string | null | undefined;
  for (;;) {
    const row = unlessError(await packets.next());
    if (row[0] === END_OF_ROWS && row.length <= MAX_END_OF_ROWS_BYTES) break;
    if (value === undefined) value = row[0] === NULL_VALUE ? null : textAt(row);
  }
  return value;
}

function textAt(row: Buffer): string {
  const { value, end } = lengthAt(row, 0);
  return row.toString('utf8', end, end + value);
}

function unlessError(packet: Buffer): Buffer {
  if (packet[0] !== ERROR) return packet;
  const code = packet.length < 3 ? 0 : packet.readUInt16LE(1);
  if (OF_ACCESS.has(code)) throw new ProbeFault('authentication_failed', `The server denied access (error ${code}).`);
  throw new ProbeFault('command_failed', `The server returned an error (error ${code}).`);
}

function handshakeResponse(
  { username, password, database, secure }: MysqlLogin,
  plugin: string,
  challenge: Buffer,
): Buffer {
  const proof = proofOf(plugin, password, challenge);
  return Buffer.concat([
    handshakeHead((secure ? SSL : 0) | (database === null ? 0 : CONNECT_WITH_DB)),
    cString(username),
    Buffer.from([proof.length]),
    proof,
    ...(database === null ? [] : [cString(database)]),
    cString(plugin),
  ]);
}

/** Returns what proves the password to a server without revealing it. */
function proofOf(plugin: string, password: string, challenge: Buffer): Buffer {
  if (password === '') return Buffer.alloc(0);
  if (plugin === NATIVE) {
    const once = hash('sha1', password);
    return xor(once, hash('sha1', challenge, hash('sha1', once)));
  }
  if (plugin === CACHING) {
    const once = hash('sha256', password);
    return xor(once, hash('sha256', hash('sha256', once), challenge));
  }
  throw unsupported();
}

/** Encrypts a password with the server's public key, for connections without TLS. */
function encrypted(password: string, challenge: Buffer, publicKey: string): Buffer {
  const plain = xor(cString(password), challenge);
  try {
    return publicEncrypt({ key: publicKey, padding: constants.RSA_PKCS1_OAEP_PADDING }, plain);
  } catch {
    throw notMysql();
  }
}

function hash(name: string, ...parts: (string | Buffer)[]): Buffer {
  const digest = createHash(name);
  for (const part of parts) digest.update(part);
  return digest.digest();
}

function xor(bytes: Buffer, mask: Buffer): Buffer {
  return Buffer.from(bytes.map((byte, index) => byte ^ (mask[index % mask.length] ?? 0)));
}

function unsupported(): ProbeFault {
  return new ProbeFault('authentication_failed', 'The server requires an authentication method that is not supported.');
}
