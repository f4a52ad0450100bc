import { type Conversation } from '../net/conversation.js';
import { ProbeFault } from '../net/probe-fault.js';

/** A reply of a Redis server; arrays are reduced to their first element. An error is thrown instead. */
export type RedisValue = string | number | boolean | null;

const MAX_DEPTH = 8;

/** The code at the start of an error, such as `WRONGPASS`. */
export class RedisRefusal extends Error {
  override readonly name = 'RedisRefusal';

  constructor(readonly code: string) {
    super(`the server replied with the error ${code}`);
  }
}

/**
 * Sends a command (https://redis.io/docs/latest/develop/reference/protocol-spec/) and returns the first value of its
 * reply. @throws RedisRefusal @throws ProbeFault
 */
export async function command(conversation: Conversation, words: readonly string[]): Promise<RedisValue> {
  const parts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`);
  conversation.send(`*${words.length}\r\n${parts.join('')}`);
  return readReply(conversation, MAX_DEPTH);
}

async function readReply(conversation: Conversation, depth: number): Promise<RedisValue> {
  if (depth === 0) throw notRedis();
  const line = await conversation.line();
  const [kind, rest] = [line.charAt(0), line.slice(1)];
  switch (kind) {
    case '+':
      return rest;
    case '-':
      throw new RedisRefusal(/^[A-Z]+(?= |$)/.exec(rest)?.[0] ?? 'ERR');
    case ':':
    case ',':
      return Number(rest);
    case '#':
      return rest === 't';
    case '_':
      return null;
    case '$': {
      const length = lengthOf(rest);
      if (length < 0) return null;
      return (await conversation.bytes(length + 2)).toString('utf8', 0, length);
    }
    case '*':
      return lengthOf(rest) > 0 ? readReply(conversation, depth - 1) : null;
    default:
      throw notRedis();
  }
}

function lengthOf(text: string): number {
  if (!/^-?\d{1,9}$/.test(text)) throw notRedis();
  return Number(text);
}

function notRedis(): ProbeFault {
  return new ProbeFault('protocol_error', 'The server does not speak the Redis protocol.');
}
