import { randomBytes } from 'node:crypto';
import { withLength } from '../net/bytes.js';
import { type Conversation } from '../net/conversation.js';
import { ProbeFault } from '../net/probe-fault.js';

/** The credentials of a check; `null` for those that are not sent. */
export interface MqttLogin {
  username: string | null;
  password: string | null;
}

/** Types of control packets (MQTT 3.1.1, section 2.2.1). */
const CONNECT = 0x10;
const CONNACK = 2;
const PUBLISH = 3;
const SUBSCRIBE = 0x82;
const SUBACK = 9;
const DISCONNECT = Buffer.from([0xe0, 0]);

const CLEAN_SESSION = 0x02;
const HAS_PASSWORD = 0x40;
const HAS_USERNAME = 0x80;
const KEEP_ALIVE_S = 60;
/** Bad user name or password, and not authorized. */
const DENIALS = new Set([4, 5]);
const FAILURE = 0x80;

interface Packet {
  type: number;
  flags: number;
  content: Buffer;
}

/** Signs in with a new session. @throws ProbeFault */
export async function signIn(conversation: Conversation, { username, password }: MqttLogin): Promise<void> {
  const flags = CLEAN_SESSION | (username === null ? 0 : HAS_USERNAME) | (password === null ? 0 : HAS_PASSWORD);
  const head = Buffer.from([4, flags, 0, KEEP_ALIVE_S]);
  const clientId = `daywatch-${randomBytes(7).toString('hex')}`;
  const texts = [clientId, username, password].filter((one) => one !== null);
  send(conversation, CONNECT, Buffer.concat([text('MQTT'), head, ...texts.map(text)]));
  const { type, content } = await next(conversation);
  const code = content[1];
  if (type !== CONNACK || code === undefined) throw notMqtt();
  if (DENIALS.has(code)) throw new ProbeFault('authentication_failed', `The server denied access (code ${code}).`);
  if (code !== 0) throw new ProbeFault('command_failed', `The server refused the connection (code ${code}).`);
  conversation.leaveWith(DISCONNECT);
}

/** Subscribes to a topic and returns the payload of the first message as text. @throws ProbeFault */
export async function firstMessage(conversation: Conversation, topic: string): Promise<string> {
  send(conversation, SUBSCRIBE, Buffer.concat([Buffer.from([0, 1]), text(topic), Buffer.from([0])]));
  for (;;) {
    const { type, flags, content } = await next(conversation);
    if (type === SUBACK && content[2] === FAILURE) {
      throw new ProbeFault('command_failed', 'The server refused the subscription.');
    }
    if (type !== PUBLISH || content.length < 2) continue;
    const hasId = (flags & 0x06) !== 0;
    return content.toString('utf8', 2 + content.readUInt16BE() + (hasId ? 2 : 0));
  }
}

async function next(conversation: Conversation): Promise<Packet> {
  const [first] = await conversation.bytes(1);
  let length = 0;
  for (let shift = 0; ; shift += 7) {
    const [byte] = await conversation.bytes(1);
    length += (byte! & 0x7f) * 2 ** shift;
    if (byte! < 0x80) break;
    if (shift === 21) throw notMqtt();
  }
  return { type: first! >> 4, flags: first! & 0x0f, content: await conversation.bytes(length) };
}

function send(conversation: Conversation, type: number, content: Buffer): void {
  const length: number[] = [];
  for (let left = content.length; length.length === 0 || left > 0; left >>= 7) {
    length.push((left & 0x7f) | (left > 0x7f ? 0x80 : 0));
  }
  conversation.send(Buffer.concat([Buffer.from([type, ...length]), content]));
}

function text(content: string): Buffer {
  return withLength(Buffer.from(content));
}

function notMqtt(): ProbeFault {
  return new ProbeFault('protocol_error', 'The server does not speak MQTT 3.1.1.');
}
