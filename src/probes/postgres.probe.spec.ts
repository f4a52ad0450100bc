import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { problemsOf } from '../../test/support/field-problems.js';
import { runCheck, startScript, stopsServers } from '../../test/support/probe-scripts.js';
import { dialogue } from '../../test/support/scripted-server.js';
import { PostgresFields, postgresProbe } from './postgres.probe.js';

stopsServers();
const host = '127.0.0.1';
const login = { username: 'mon', password: 'geheim' };

/** Returns a message of the protocol. */
function message(type: string, content: string | Buffer): Buffer {
  const bytes = Buffer.from(content as string);
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeUInt32BE(bytes.length + 4, 1);
  return Buffer.concat([head, bytes]);
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

const request = (kind: number, rest = ''): Buffer => message('R', Buffer.concat([int32(kind), Buffer.from(rest)]));
const READY = message('Z', 'I');
const SIGNED_IN = Buffer.concat([request(0), message('S', 'a\0b\0'), READY]);
const failure = (state: string): Buffer => message('E', `SFATAL\0C${state}\0Msecret text\0\0`);
const row = (value: string | null): Buffer => {
  const length = int32(value === null ? -1 : Buffer.byteLength(value));
  return message('D', Buffer.concat([Buffer.from([0, 1]), length, Buffer.from(value ?? '')]));
};

describe('PostgresFields', () => {
  it.each([
    [{ settings: undefined }, '/settings isObject'],
    [{ settings: {} }, '/settings/username isString'],
    [{ settings: { ...login, statement: '' } }, '/settings/statement minLength'],
    [{ settings: { ...login, password: 5 } }, '/settings/password isString'],
    [
      { settings: login, assertions: [{ source: 'statusCode', comparison: 'exists' }] },
      '/assertions/0/source invalid_value',
    ],
  ])('rejects %j with %s', (more, problem) => expect(problemsOf(PostgresFields, { host, ...more })).toContain(problem));

  it('shows its target without credentials, and stores the password as a secret', () => {
    expect(postgresProbe.target({ host, settings: { ...login, database: 'shop' } })).toBe('127.0.0.1:5432/shop');
    expect(postgresProbe.secretPaths({ host, settings: login })).toEqual([['settings', 'password']]);
  });
});

describe('the PostgreSQL probe', () => {
  it.each<[string, Buffer, object]>([
    ['a value', Buffer.concat([row('7'), row('8'), READY]), { comparison: 'equals', target: 7 }],
    ['null', Buffer.concat([row(null), READY]), { comparison: 'isEmpty' }],
    ['no row', Buffer.concat([message('C', 'SELECT 0\0'), READY]), { comparison: 'notExists' }],
    ['a row without columns', Buffer.concat([message('D', Buffer.alloc(2)), READY]), { comparison: 'notExists' }],
  ])('reads %s', async (_, result, assertion) => {
    const { port, received, idle } = await startScript(dialogue(null, SIGNED_IN, result));
    const settings = { ...login, database: 'shop', statement: 'SELECT 7' };
    const assertions = [{ source: 'value', ...assertion }];
    expect((await runCheck('postgres', { host, port, settings, assertions })).error).toBeNull();
    expect(received[0]!.toString('latin1')).toContain('user\0mon\0database\0shop\0application_name\0daywatch\0\0Q');
    expect(received[0]!.toString('latin1')).toContain('SELECT 7\0');
    await idle();
  });

  it('signs in with a password in clear text, and with MD5', async () => {
    const clear = await startScript(dialogue(null, request(3), SIGNED_IN, READY));
    expect((await runCheck('postgres', { host, port: clear.port, settings: login })).error).toBeNull();
    expect(String(clear.received[0])).toContain('geheim\0');
    const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
    const hashed = await startScript(dialogue(null, request(5, 'salt'), SIGNED_IN, READY));
    expect((await runCheck('postgres', { host, port: hashed.port, settings: login })).error).toBeNull();
    expect(String(hashed.received[0])).toContain(`md5${md5(`${md5('geheimmon')}salt`)}\0`);
    expect(String(hashed.received[0])).not.toContain('geheim\0');
  });

  it.each<[string, Buffer[], object, string]>([
    ['a wrong password', [request(3), failure('28P01')], login, 'authentication_failed'],
    ['a missing password', [request(10, 'SCRAM-SHA-256\0\0')], { username: 'mon' }, 'authentication_failed'],
    ['an unknown method', [request(7)], login, 'authentication_failed'],
    ['an unknown mechanism', [request(10, 'OTHER\0\0')], login, 'authentication_failed'],
    [
      'a server that does not know the password',
      [request(10, 'SCRAM-SHA-256\0\0'), request(11, 'r=x,s=x,i=1')],
      login,
      'authentication_failed',
    ],
    ['a missing database', [failure('3D000')], login, 'command_failed'],
    ['a faulty statement', [SIGNED_IN, failure('42601')], login, 'command_failed'],
    ['another protocol', [Buffer.from('220 mail ready\r\n')], login, 'protocol_error'],
    ['a short request', [message('R', 'a')], login, 'protocol_error'],
    ['a message beyond the limit', [Buffer.from('Dzzzz')], login, 'response_too_large'],
  ])('fails on %s', async (_, replies, settings, code) => {
    const { port, idle } = await startScript(dialogue(null, ...replies));
    const outcome = await runCheck('postgres', { host, port, settings });
    expect(outcome.error?.code).toBe(code);
    expect(outcome.error!.message).not.toContain('secret text');
    await idle();
  });

  it.each([
    ['no TLS', 'N', 'tls_failed'],
    ['another protocol', '2', 'protocol_error'],
    ['data before TLS', 'SS', 'protocol_error'],
  ])('fails if it asks for TLS and the server offers %s', async (_, reply, code) => {
    const { port } = await startScript(dialogue(null, reply));
    const outcome = await runCheck('postgres', { host, port, settings: { ...login, tls: true } });
    expect(outcome.error?.code).toBe(code);
  });
});
