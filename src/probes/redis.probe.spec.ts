import { describe, expect, it } from '@jest/globals';
import { problemsOf } from '../../test/support/field-problems.js';
import { runCheck, startScript, stopsServers } from '../../test/support/probe-scripts.js';
import { testCertificate } from '../../test/support/raw-target.js';
import { dialogue } from '../../test/support/scripted-server.js';
import { RedisFields, redisProbe } from './redis.probe.js';

stopsServers();
const host = '127.0.0.1';

describe('RedisFields', () => {
  it.each([
    [{ command: 'GET "a' }, '/settings/command invalid_value'],
    [{ command: '  ' }, '/settings/command invalid_value'],
    [{ database: -1 }, '/settings/database min'],
    [{ password: 1 }, '/settings/password isString'],
    [{ username: 'mon' }, '/settings/username invalid_value'],
    [{ username: 'mon', password: null }, '/settings/username invalid_value'],
    [{ tls: null }, '/settings/tls isBoolean'],
  ])('rejects %j with %s', (settings, problem) =>
    expect(problemsOf(RedisFields, { host, settings })).toContain(problem),
  );

  it.each([{ password: 'geheim' }, { username: 'mon', password: '********' }])('accepts %j', (settings) =>
    expect(problemsOf(RedisFields, { host, settings })).toEqual([]),
  );

  it('stores the password as a secret', () => {
    expect(redisProbe.secretPaths({ host })).toEqual([['settings', 'password']]);
  });
});

describe('the Redis probe', () => {
  it.each<[string, string, unknown]>([
    ['a simple string', '+PONG\r\n', 'PONG'],
    ['an integer', ':42\r\n', '42'],
    ['a string', '$6\r\na\r\nb ü\r\n'.replace('$6', '$7'), 'a\r\nb ü'],
    ['an empty string', '$0\r\n\r\n', ''],
    ['no string', '$-1\r\n', null],
    ['an array', '*2\r\n$1\r\na\r\n$1\r\nb\r\n', 'a'],
    ['no array', '*-1\r\n', null],
    ['nested arrays', '*1\r\n*1\r\n:7\r\n', '7'],
    ['a boolean', '#t\r\n', 'true'],
    ['a double', ',1.5\r\n', '1.5'],
    ['null', '_\r\n', null],
  ])('reads %s', async (_, reply, value) => {
    const { port, received } = await startScript(dialogue(null, reply));
    const target = value === null ? {} : { target: value };
    const comparison = value === null ? 'isEmpty' : 'equals';
    const outcome = await runCheck('redis', { host, port, assertions: [{ source: 'value', comparison, ...target }] });
    expect(outcome.error).toBeNull();
    expect(String(received[0])).toMatch(/^\*1\r\n\$4\r\nPING\r\n/);
  });

  it('signs in, selects the database, and runs the command', async () => {
    const { port, received } = await startScript(dialogue(null, '+OK\r\n', '+OK\r\n', ':3\r\n'));
    const settings = { username: 'mon', password: 'ge heim', database: 2, command: `LLEN "my jobs"` };
    expect((await runCheck('redis', { host, port, settings })).error).toBeNull();
    expect(String(received[0])).toContain(
      '*3\r\n$4\r\nAUTH\r\n$3\r\nmon\r\n$7\r\nge heim\r\n*2\r\n$6\r\nSELECT\r\n$1\r\n2\r\n*2\r\n$4\r\nLLEN\r\n$7\r\nmy jobs\r\n',
    );
  });

  it.each<[string, string, string]>([
    ['a wrong password', '-WRONGPASS invalid username-password pair\r\n', 'authentication_failed'],
    ['a missing password', '-NOAUTH Authentication required.\r\n', 'authentication_failed'],
    ['a missing permission', '-NOPERM no permissions\r\n', 'authentication_failed'],
    ['an error', '-ERR unknown command\r\n', 'command_failed'],
    ['another protocol', '220 mail ready\r\n', 'protocol_error'],
    ['an invalid length', '$x\r\n', 'protocol_error'],
    ['arrays within arrays without end', '*1\r\n'.repeat(100), 'protocol_error'],
    ['a length beyond the limit', '$99999999\r\nx', 'response_too_large'],
  ])('fails on %s', async (_, reply, code) => {
    const { port, idle } = await startScript(dialogue(null, reply));
    const outcome = await runCheck('redis', { host, port });
    expect(outcome.error?.code).toBe(code);
    await idle();
  });

  it('reports any refusal of the password as such', async () => {
    const { port } = await startScript(dialogue(null, '-ERR AUTH called without any password configured\r\n'));
    const outcome = await runCheck('redis', { host, port, settings: { password: 'x' } });
    expect(outcome.error).toEqual({ code: 'authentication_failed', message: 'The server denied access (ERR).' });
  });

  it('uses TLS', async () => {
    const { port } = await startScript(dialogue(null, '+PONG\r\n'), testCertificate('valid'));
    const settings = { tls: true };
    expect((await runCheck('redis', { host: 'localhost', port, settings })).error).toBeNull();
    const plain = await startScript(dialogue(null, '+PONG\r\n'));
    expect((await runCheck('redis', { host, port: plain.port, settings })).error?.code).toMatch(/^tls_failed$/);
  });
});
