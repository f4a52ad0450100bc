import { randomBytes } from 'node:crypto';
import { type Conversation } from '../net/conversation.js';
import { ProbeFault } from '../net/probe-fault.js';

/** The opcodes of frames (RFC 6455, section 5.2). */
export const TEXT = 1;
export const BINARY = 2;
const CONTINUATION = 0;
const CLOSE = 8;
const PING = 9;
const PONG = 10;

const FINAL = 0x80;
const RESERVED = 0x70;
const MASKED = 0x80;
const MAX_CONTROL_BYTES = 125;

/** Sends a message, or a control frame, as one frame. */
export function sendFrame(conversation: Conversation, opcode: number, payload: Buffer): void {
  conversation.send(frame(opcode, payload));
}

/** Returns the frame that ends a connection (status 1000). */
export function closeFrame(): Buffer {
  return frame(CLOSE, Buffer.from([0x03, 0xe8]));
}

function frame(opcode: number, payload: Buffer): Buffer {
  const { length } = payload;
  const long = Buffer.alloc(length < 126 ? 0 : length < 0x1_0000 ? 2 : 8);
  if (long.length === 2) long.writeUInt16BE(length);
  else if (long.length === 8) long.writeBigUInt64BE(BigInt(length));
  const size = long.length === 0 ? length : long.length === 2 ? 126 : 127;
  const key = randomBytes(4);
  const masked = Buffer.from(payload.map((byte, index) => byte ^ key[index & 3]!));
  return Buffer.concat([Buffer.from([FINAL | opcode, MASKED | size]), long, key, masked]);
}

/** Reads the next message, and answers pings. Returns `null` if the server ends the connection. @throws ProbeFault */
export async function nextMessage(conversation: Conversation): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  for (;;) {
    const { opcode, isFinal, payload } = await nextFrame(conversation);
    if (opcode === CLOSE) return null;
    if (opcode === PING) sendFrame(conversation, PONG, payload);
    if (opcode === PING || opcode === PONG) continue;
    if (opcode > BINARY || (opcode === CONTINUATION) !== parts.length > 0) throw notWebsocket();
    parts.push(payload);
    if (isFinal) return Buffer.concat(parts);
  }
}

async function nextFrame(conversation: Conversation): Promise<{ opcode: number; isFinal: boolean; payload: Buffer }> {
  const [first, second] = (await conversation.bytes(2)) as unknown as [number, number];
  const opcode = first & 0x0f;
  const isFinal = (first & FINAL) !== 0;
  // A server must not mask, and no extension was negotiated.
  if ((first & RESERVED) !== 0 || (second & MASKED) !== 0) throw notWebsocket();
  let length = second;
  if (length === 126) length = (await conversation.bytes(2)).readUInt16BE();
  else if (length === 127) length = Number((await conversation.bytes(8)).readBigUInt64BE());
  if (opcode >= CLOSE && (!isFinal || length > MAX_CONTROL_BYTES)) throw notWebsocket();
  return { opcode, isFinal, payload: await conversation.bytes(length) };
}

function notWebsocket(): ProbeFault {
  return new ProbeFault('protocol_error', 'The server sent an invalid WebSocket frame.');
}
