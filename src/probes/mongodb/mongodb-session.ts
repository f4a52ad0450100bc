import { createHash, randomInt } from 'node:crypto';
import { type Conversation } from '../net/conversation.js';
import { ProbeFault } from '../net/probe-fault.js';
import { Scram } from '../scram.js';
import { type BsonDocument, type BsonValue, decode, encode } from './bson.js';

const OP_MSG = 2013;
const HEAD_BYTES = 16;
/** Flags, and the kind of the only section. */
const BEFORE_BODY = 5;
/** Unauthorized and AuthenticationFailed. */
const OF_ACCESS: ReadonlySet<unknown> = new Set([13, 18]);

/** Runs a command in a database and returns the reply. @throws ProbeFault, also if the command fails */
export async function runCommand(
  conversation: Conversation,
  database: string,
  command: BsonDocument,
): Promise<BsonDocument> {
  const body = encode({ ...command, $db: database });
  const head = Buffer.alloc(HEAD_BYTES + BEFORE_BODY);
  const id = randomInt(2 ** 31);
  for (const [index, value] of [head.length + body.length, id, 0, OP_MSG].entries())
    head.writeInt32LE(value, 4 * index);
  conversation.send(Buffer.concat([head, body]));
  const theirs = await conversation.bytes(HEAD_BYTES);
  const length = theirs.readUInt32LE(0) - HEAD_BYTES;
  if (theirs.readInt32LE(8) !== id || theirs.readInt32LE(12) !== OP_MSG || length <= BEFORE_BODY) throw notMongodb();
  const content = await conversation.bytes(length);
  if (content[4] !== 0) throw notMongodb();
  const size = content.length < BEFORE_BODY + 4 ? 0 : content.readUInt32LE(BEFORE_BODY);
  const reply = decode(content.subarray(BEFORE_BODY, BEFORE_BODY + size));
  if (reply.ok === 1 || reply.ok === true) return reply;
  const code = typeof reply.code === 'number' ? reply.code : 'unknown';
  if (OF_ACCESS.has(code)) throw new ProbeFault('authentication_failed', `The server denied access (error ${code}).`);
  throw new ProbeFault('command_failed', `The server returned an error (error ${code}).`);
}

/** Signs in with SCRAM. `source`: the database that stores the user. @throws ProbeFault */
export async function signIn(
  conversation: Conversation,
  source: string,
  username: string,
  password: string,
): Promise<void> {
  const hello = await runCommand(conversation, 'admin', { hello: 1, saslSupportedMechs: `${source}.${username}` });
  const offered = Array.isArray(hello.saslSupportedMechs) ? hello.saslSupportedMechs : [];
  const isNew = offered.length === 0 || offered.includes('SCRAM-SHA-256');
  const scram = isNew
    ? new Scram('sha256', username, password.normalize('NFKC'))
    : new Scram('sha1', username, createHash('md5').update(`${username}:mongo:${password}`).digest('hex'));
  const first = await runCommand(conversation, source, {
    saslStart: 1,
    mechanism: isNew ? 'SCRAM-SHA-256' : 'SCRAM-SHA-1',
    payload: Buffer.from(scram.clientFirst),
    options: { skipEmptyExchange: true },
  });
  const { conversationId = null } = first;
  const next = (payload: string): Promise<BsonDocument> => {
    return runCommand(conversation, source, { saslContinue: 1, conversationId, payload: Buffer.from(payload) });
  };
  let reply = await next(await scram.clientFinal(payloadOf(first)));
  scram.verify(payloadOf(reply));
  // Older servers do not skip the empty exchange.
  if (reply.done !== true) reply = await next('');
  if (reply.done !== true) throw notMongodb();
}

/** Returns the first value of a reply that is neither a document nor an array; `undefined` if there is none. */
export function firstScalar(value: BsonValue): string | number | boolean | null | undefined {
  if (value === null || typeof value !== 'object') return value;
  if (Buffer.isBuffer(value)) return value.toString('hex');
  for (const one of Object.values(value)) {
    const found = firstScalar(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

function payloadOf({ payload }: BsonDocument): string {
  if (!Buffer.isBuffer(payload)) throw notMongodb();
  return payload.toString();
}

function notMongodb(): ProbeFault {
  return new ProbeFault('protocol_error', 'The server does not speak the MongoDB protocol.');
}
