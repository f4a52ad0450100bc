import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { problemsOf } from '../../test/support/field-problems.js';
import { mongodbReply as reply } from '../../test/support/mongodb-reply.js';
import { runCheck, startScript, stopsServers } from '../../test/support/probe-scripts.js';
import { propertyRuns } from '../../test/support/property-runs.js';
import { dialogue } from '../../test/support/scripted-server.js';
import { type BsonDocument, decode, encode } from './mongodb/bson.js';
import { firstScalar } from './mongodb/mongodb-session.js';
import { MongodbFields } from './mongodb.probe.js';

stopsServers();
const host = '127.0.0.1';

describe('BSON', () => {
  it('encodes the example of the specification', () => {
    const bytes = Buffer.from('160000000268656c6c6f0006000000776f726c640000', 'hex');
    expect(encode({ hello: 'world' })).toEqual(bytes);
    expect(decode(bytes)).toEqual({ hello: 'world' });
  });

  it('decodes what it has encoded', () => {
    const text = fc.string().map((one) => one.replaceAll('\0', ''));
    const { document } = fc.letrec<{ value: BsonDocument[string]; document: BsonDocument }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        text,
        fc.integer(),
        fc.double({ noNaN: true }),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 4 }),
        tie('document'),
      ),
      document: fc.dictionary(text, tie('value'), { maxKeys: 5, noNullPrototype: true }),
    }));
    fc.assert(
      fc.property(document, (one) => expect(decode(encode(one))).toEqual(one)),
      propertyRuns(200),
    );
    expect(decode(encode({ zero: -0 }))).toEqual({ zero: -0 });
  });

  it.each([
    ['an object id', 7, '0102030405060708090a0b0c', '0102030405060708090a0b0c'],
    ['a date', 9, 'e803000000000000', '1970-01-01T00:00:01.000Z'],
    ['the latest date', 9, '0000dcc208b21e00', '+275760-09-13T00:00:00.000Z'],
    ['a date beyond the latest one', 9, '0100dcc208b21e00', '8640000000000001'],
    ['a date before the earliest one', 9, '0000000000000080', '-9223372036854775808'],
    ['a long integer', 18, '2a00000000000000', 42],
    ['a regular expression', 11, '62006900', '62006900'],
    ['undefined', 6, '', null],
    ['binary data', 5, '0200000000cafe', Buffer.from('cafe', 'hex')],
  ])('decodes %s', (_, type, content, value) => {
    const body = `${type.toString(16).padStart(2, '0')}6100${content}00`;
    const bytes = Buffer.concat([Buffer.alloc(4), Buffer.from(body, 'hex')]);
    bytes.writeInt32LE(bytes.length);
    expect(decode(bytes)).toEqual({ a: value });
  });

  it('rejects any other bytes with a fault, whatever they are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const content = Buffer.from(bytes);
        if (content.length >= 4) content.writeInt32LE(content.length);
        try {
          decode(content);
        } catch (error) {
          expect(error).toMatchObject({ name: 'ProbeFault', code: 'protocol_error' });
        }
      }),
      propertyRuns(500),
    );
  });
});

describe('firstScalar', () => {
  it.each<[BsonDocument, unknown]>([
    [{ n: 5, ok: 1 }, 5],
    [{ cursor: { firstBatch: [{ a: { b: 'x' } }] }, ok: 1 }, 'x'],
    [{ cursor: { firstBatch: [] }, ok: 1 }, 1],
    [{ value: null, ok: 1 }, null],
    [{}, undefined],
  ])('of %j is %j', (reply, value) => expect(firstScalar(reply)).toBe(value));
});

function commandIn(request: Buffer): BsonDocument {
  return decode(request.subarray(21));
}

/** Returns the replies of a server that knows the password. */
function scramReplies(hash: 'sha1' | 'sha256', secret: string, mechanisms: string[], skipsEmpty: boolean) {
  let first = '';
  let serverFirst = '';
  const salt = Buffer.from('0123456789abcdef');
  const hmac = (key: Buffer, text: string): Buffer => createHmac(hash, key).update(text).digest();
  const payloadOf = (request: Buffer): string => (commandIn(request).payload as Buffer).toString();
  return [
    (request: Buffer) => reply(request, { saslSupportedMechs: mechanisms, ok: 1 }),
    (request: Buffer) => {
      first = payloadOf(request).slice(3);
      serverFirst = `${/r=.*/.exec(first)![0]}server,s=${salt.toString('base64')},i=4096`;
      return reply(request, { conversationId: 1, done: false, payload: Buffer.from(serverFirst), ok: 1 });
    },
    (request: Buffer) => {
      const [, withoutProof, proof] = /^(.*),p=(.*)$/.exec(payloadOf(request))!;
      const salted = pbkdf2Sync(secret, salt, 4_096, hash === 'sha1' ? 20 : 32, hash);
      const signed = `${first},${serverFirst},${withoutProof!}`;
      const clientKey = hmac(salted, 'Client Key');
      const signature = hmac(createHash(hash).update(clientKey).digest(), signed);
      const isRight = Buffer.from(proof!, 'base64').equals(
        Buffer.from(clientKey.map((byte, at) => byte ^ signature[at]!)),
      );
      if (!isRight) return reply(request, { ok: 0, code: 18, errmsg: 'secret text' });
      const payload = Buffer.from(`v=${hmac(hmac(salted, 'Server Key'), signed).toString('base64')}`);
      return reply(request, { conversationId: 1, done: skipsEmpty, payload, ok: 1 });
    },
    ...(skipsEmpty ? [] : [(request: Buffer) => reply(request, { done: true, payload: Buffer.alloc(0), ok: 1 })]),
  ];
}

describe('MongodbFields', () => {
  it.each([
    [{ command: 'ping' }, '/settings/command invalid_value'],
    [{ command: '[]' }, '/settings/command invalid_value'],
    [{ command: '{}' }, '/settings/command invalid_value'],
    [{ database: '' }, '/settings/database minLength'],
  ])('rejects %j with %s', (settings, problem) =>
    expect(problemsOf(MongodbFields, { host, settings })).toContain(problem),
  );
});

describe('the MongoDB probe', () => {
  it('runs a command and reads its first value', async () => {
    let command: BsonDocument = {};
    const { port, idle } = await startScript(
      dialogue(null, (request) => {
        command = commandIn(request);
        return reply(request, { n: 5, ok: 1 });
      }),
    );
    const settings = { database: 'shop', command: '{"count":"orders","query":{"paid":false}}' };
    const assertions = [{ source: 'value', comparison: 'equals', target: 5 }];
    expect((await runCheck('mongodb', { host, port, settings, assertions })).error).toBeNull();
    expect(command).toEqual({ count: 'orders', query: { paid: false }, $db: 'shop' });
    await idle();
  });

  it.each([
    ['SCRAM-SHA-256', 'sha256' as const, 'geheim', true],
    ['SCRAM-SHA-256 with the empty exchange', 'sha256' as const, 'geheim', false],
    ['SCRAM-SHA-1', 'sha1' as const, createHash('md5').update('mon:mongo:geheim').digest('hex'), true],
  ])('signs in with %s', async (_, hash, secret, skipsEmpty) => {
    const mechanisms = [hash === 'sha1' ? 'SCRAM-SHA-1' : 'SCRAM-SHA-256'];
    const pong = (request: Buffer): Buffer => reply(request, { ok: 1 });
    const { port } = await startScript(dialogue(null, ...scramReplies(hash, secret, mechanisms, skipsEmpty), pong));
    const settings = { username: 'mon', password: 'geheim' };
    expect((await runCheck('mongodb', { host, port, settings })).error).toBeNull();
    const other = await startScript(dialogue(null, ...scramReplies(hash, 'other', mechanisms, skipsEmpty), pong));
    const denied = await runCheck('mongodb', { host, port: other.port, settings });
    expect(denied.error).toEqual({ code: 'authentication_failed', message: 'The server denied access (error 18).' });
  });

  it.each<[string, (request: Buffer) => Buffer, string]>([
    ['an error', (request) => reply(request, { ok: 0, code: 59 }), 'command_failed'],
    ['a missing permission', (request) => reply(request, { ok: 0, code: 13 }), 'authentication_failed'],
    ['a reply to another request', () => reply(Buffer.alloc(16), { ok: 1 }), 'protocol_error'],
    ['another protocol', () => Buffer.from('220 mail ready and waiting\r\n'), 'protocol_error'],
    ['a reply without a document', (request) => reply(request, {}).subarray(0, 16), 'timeout'],
    [
      'a reply beyond the limit',
      (request) => Buffer.concat([Buffer.from('ffffff7f', 'hex'), reply(request, { ok: 1 }).subarray(4)]),
      'response_too_large',
    ],
  ])('fails on %s', async (_, answer, code) => {
    const { port, idle } = await startScript(dialogue(null, answer));
    expect((await runCheck('mongodb', { host, port }, { timeoutMs: 500 })).error?.code).toBe(code);
    await idle();
  });
});
