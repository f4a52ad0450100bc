import { type Conversation } from '../net/conversation.js';
import { ProbeFault } from '../net/probe-fault.js';

/** Capability flags (https://dev.mysql.com/doc/dev/mysql-server/latest/group__group__cs__capabilities__flags.html). */
export const CONNECT_WITH_DB = 0x8;
export const SSL = 0x800;
/** Long passwords, protocol 4.1, transactions, secure connections, and authentication plugins. */
const COMMON = 0x1 | 0x200 | 0x2000 | 0x8000 | 0x8_0000;
const MAX_PACKET_BYTES = 0x0100_0000;
const UTF8MB4 = 45;
const PROTOCOL_VERSION = 10;
/** A longer packet is split, which no response to a check should be. */
const WHOLE_PACKET = 0xff_ffff;

/** Reads and writes packets, with their sequence numbers. */
export class Packets {
  private sequence = 0;

  constructor(private readonly conversation: Conversation) {}

  async next(): Promise<Buffer> {
    const head = await this.conversation.bytes(4);
    const length = head.readUIntLE(0, 3);
    if (head[3] !== this.sequence || length === 0 || length === WHOLE_PACKET) throw notMysql();
    this.sequence = (this.sequence + 1) & 0xff;
    return this.conversation.bytes(length);
  }

  send(content: Buffer): void {
    const head = Buffer.alloc(4);
    head.writeUIntLE(content.length, 0, 3);
    head[3] = this.sequence;
    this.sequence = (this.sequence + 1) & 0xff;
    this.conversation.send(Buffer.concat([head, content]));
  }

  /** Sends the first packet of a command. */
  command(content: Buffer): void {
    this.sequence = 0;
    this.send(content);
  }
}

/** The first packet of a server. */
export interface Greeting {
  offersTls: boolean;
  plugin: string;
  challenge: Buffer;
}

/** Parses the first packet of a server. @throws ProbeFault */
export function readGreeting(packet: Buffer): Greeting {
  const versionEnd = packet.indexOf(0, 1);
  // The thread id, the first part of the challenge, and a filler follow.
  const flagsAt = versionEnd + 1 + 4 + 8 + 1;
  const secondPartAt = flagsAt + 18;
  if (packet[0] !== PROTOCOL_VERSION || versionEnd < 0 || packet.length < secondPartAt + 12) throw notMysql();
  const challenge = Buffer.concat([
    packet.subarray(flagsAt - 9, flagsAt - 1),
    packet.subarray(secondPartAt, secondPartAt + 12),
  ]);
  const plugin = packet.toString('latin1', secondPartAt + 13).replace(/\0.*/s, '');
  return { offersTls: (packet.readUInt16LE(flagsAt) & SSL) !== 0, plugin, challenge };
}

/** Returns the head of a handshake response, which alone is the request for TLS. */
export function handshakeHead(capabilities: number): Buffer {
  const head = Buffer.alloc(32);
  head.writeUInt32LE(COMMON | capabilities, 0);
  head.writeUInt32LE(MAX_PACKET_BYTES, 4);
  head[8] = UTF8MB4;
  return head;
}

/** Reads a length-encoded integer: its value, and where it ends. */
export function lengthAt(packet: Buffer, at: number): { value: number; end: number } {
  const first = packet[at] ?? 0;
  const size = first < 0xfb ? 0 : first === 0xfc ? 2 : first === 0xfd ? 3 : 6;
  if (packet.length < at + 1 + size) throw notMysql();
  return { value: size === 0 ? first : packet.readUIntLE(at + 1, size), end: at + 1 + (first === 0xfe ? 8 : size) };
}

export function notMysql(): ProbeFault {
  return new ProbeFault('protocol_error', 'The server does not speak the MySQL protocol.');
}
