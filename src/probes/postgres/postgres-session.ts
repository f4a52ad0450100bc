import { createHash } from 'node:crypto';
import { cString, uint32 } from '../net/bytes.js';
import { type Conversation } from '../net/conversation.js';
import { ProbeFault } from '../net/probe-fault.js';
import { Scram } from '../scram.js';

/** The credentials of a check, and its database. */
export interface PostgresLogin {
  username: string;
  password: string | null;
  database: string;
}

interface Message {
  /** One letter (https://www.postgresql.org/docs/current/protocol-message-formats.html). */
  type: string;
  content: Buffer;
}

const VERSION_3 = 196_608;
/** Kinds of authentication requests. */
const OK = 0;
const CLEARTEXT = 3;
const MD5 = 5;
const SASL = 10;
const SASL_CONTINUE = 11;
const SASL_FINAL = 12;
const MECHANISM = 'SCRAM-SHA-256';

/** Signs in. @throws ProbeFault */
export async function signIn(
  conversation: Conversation,
  { username, password, database }: PostgresLogin,
): Promise<void> {
  const settings = ['user', username, 'database', database, 'application_name', 'daywatch', ''];
  const content = Buffer.concat([uint32(VERSION_3), ...settings.map(cString)]);
  conversation.send(Buffer.concat([uint32(content.length + 4), content]));
  const scram = new Scram('sha256', '', (password ?? '').normalize('NFKC'));
  for (;;) {
    const message = await next(conversation, 'R', 'Z');
    if (message.type === 'Z') return;
    if (message.content.length < 4) throw notPostgres();
    const [kind, rest] = [message.content.readUInt32BE(), message.content.subarray(4)];
    if (kind === OK) continue;
    if (password === null) {
      throw new ProbeFault('authentication_failed', 'The server requires a password, but none is set.');
    }
    switch (kind) {
      case CLEARTEXT:
        send(conversation, 'p', cString(password));
        break;
      case MD5:
        send(conversation, 'p', cString(`md5${md5(md5(password + username), rest.subarray(0, 4))}`));
        break;
      case SASL: {
        if (!rest.toString('latin1').split('\0').includes(MECHANISM)) throw unsupported();
        const first = Buffer.from(scram.clientFirst);
        send(conversation, 'p', Buffer.concat([cString(MECHANISM), uint32(first.length), first]));
        break;
      }
      case SASL_CONTINUE:
        send(conversation, 'p', Buffer.from(await scram.clientFinal(rest.toString())));
        break;
      case SASL_FINAL:
        scram.verify(rest.toString());
        break;
      default:
        throw unsupported();
    }
  }
}

/** Runs a statement and returns the first value of its first row as text; `undefined` without rows. @throws ProbeFault */
export async function firstValue(conversation: Conversation, statement: string): Promise<string | null | undefined> {
  send(conversation, 'Q', cString(statement));
  let value: string | null | undefined;
  for (;;) {
    const { type, content } = await next(conversation, 'D', 'Z');
    if (type === 'Z') break;
    // A row without columns is two bytes long.
    if (value !== undefined || content.length < 6) continue;
    const length = content.readInt32BE(2);
    value = length < 0 ? null : content.toString('utf8', 6, 6 + length);
  }
  conversation.leaveWith(framed('X', Buffer.alloc(0)));
  return value;
}

/** Reads up to the first message of one of these types. */
async function next(conversation: Conversation, ...types: string[]): Promise<Message> {
  for (;;) {
    const head = await conversation.bytes(5);
    const [type, length] = [head.toString('latin1', 0, 1), head.readUInt32BE(1)];
    if (!/[A-Za-z]/.test(type) || length < 4) throw notPostgres();
    const content = await conversation.bytes(length - 4);
    if (type === 'E') throw refusal(content);
    if (types.includes(type)) return { type, content };
  }
}

function send(conversation: Conversation, type: string, content: Buffer): void {
  conversation.send(framed(type, content));
}

function framed(type: string, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from(type), uint32(content.length + 4), content]);
}

/** Returns the fault for an error message, whose text is not quoted, because it may contain data. */
function refusal(content: Buffer): ProbeFault {
  const code =
    content
      .toString('latin1')
      .split('\0')
      .find((field) => field.startsWith('C'))
      ?.slice(1) ?? '';
  const state = /^[0-9A-Z]{5}$/.test(code) ? code : 'unknown';
  // Class 28: invalid authorization specification.
  if (state.startsWith('28')) {
    return new ProbeFault('authentication_failed', `The server denied access (SQLSTATE ${state}).`);
  }
  return new ProbeFault('command_failed', `The server returned an error (SQLSTATE ${state}).`);
}

function unsupported(): ProbeFault {
  return new ProbeFault('authentication_failed', 'The server requires an authentication method that is not supported.');
}

function notPostgres(): ProbeFault {
  return new ProbeFault('protocol_error', 'The server does not speak the PostgreSQL protocol.');
}

function md5(...parts: (string | Buffer)[]): string {
  const hash = createHash('md5');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}
