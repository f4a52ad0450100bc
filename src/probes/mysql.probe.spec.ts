import { constants, createHash, generateKeyPairSync, privateDecrypt } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { CHALLENGE, failure, greeting, OK, packet, rows, text } from '../../test/support/mysql-packets.js';
import { runCheck, startScript, stopsServers } from '../../test/support/probe-scripts.js';
import { dialogue } from '../../test/support/scripted-server.js';

stopsServers();
const host = '127.0.0.1';
const login = { username: 'mon', password: 'geheim' };
const NATIVE = greeting('mysql_native_password');
const CACHING = greeting('caching_sha2_password');

function sha(name: string, ...parts: (string | Buffer)[]): Buffer {
  const hash = createHash(name);
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** Returns the request of a server to change to a method of authentication. */
function change(plugin: string): Buffer {
  return packet(2, Buffer.concat([Buffer.from(`\xfe${plugin}\0`, 'latin1'), CHALLENGE, Buffer.alloc(1)]));
}

describe('the MySQL probe', () => {
  it.each<[string, Buffer, object]>([
    ['a value', rows(text('7'), text('8')), { comparison: 'equals', target: 7 }],
    ['an empty text', rows(text('')), { comparison: 'equals', target: '' }],
    ['null', rows(Buffer.from([0xfb])), { comparison: 'isEmpty' }],
    [
      'a long text',
      rows(Buffer.concat([Buffer.from([0xfc, 0x2c, 1]), Buffer.alloc(300, 'x')])),
      { comparison: 'equals', target: 'x'.repeat(300) },
    ],
    ['no row', rows(), { comparison: 'notExists' }],
    ['no result', OK(1), { comparison: 'notExists' }],
  ])('reads %s', async (_, result, assertion) => {
    const { port, received, idle } = await startScript(dialogue(NATIVE, OK(2), result));
    const settings = { ...login, database: 'shop', statement: 'SELECT 7' };
    const outcome = await runCheck('mysql', { host, port, settings, assertions: [{ source: 'value', ...assertion }] });
    expect(outcome.error).toBeNull();
    const once = sha('sha1', 'geheim');
    const mask = sha('sha1', CHALLENGE, sha('sha1', once));
    const proof = Buffer.from(once.map((byte, index) => byte ^ mask[index]!)).toString('latin1');
    expect(received[0]!.toString('latin1')).toContain(`mon\0\x14${proof}shop\0mysql_native_password\0`);
    expect(received[0]!.toString('latin1')).toContain('\x03SELECT 7');
    await idle();
  });

  it('signs in with caching_sha2_password, from the cache of the server', async () => {
    const { port, received } = await startScript(
      dialogue(CACHING, Buffer.concat([packet(2, Buffer.from([1, 3])), OK(3)]), rows(text('1'))),
    );
    expect((await runCheck('mysql', { host, port, settings: login })).error).toBeNull();
    const once = sha('sha256', 'geheim');
    const mask = sha('sha256', sha('sha256', once), CHALLENGE);
    const proof = Buffer.from(once.map((byte, index) => byte ^ mask[index]!)).toString('latin1');
    expect(received[0]!.toString('latin1')).toContain(proof);
  });

  it('signs in with caching_sha2_password without TLS by the public key of the server', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const pem = publicKey.export({ type: 'spki', format: 'pem' });
    let password = '';
    const { port } = await startScript(
      dialogue(
        CACHING,
        packet(2, Buffer.from([1, 4])),
        packet(4, Buffer.concat([Buffer.from([1]), Buffer.from(pem)])),
        (heard) => {
          const padding = constants.RSA_PKCS1_OAEP_PADDING;
          const masked = privateDecrypt({ key: privateKey, padding }, heard.subarray(4));
          password = Buffer.from(masked.map((byte, index) => byte ^ CHALLENGE[index % 20]!)).toString();
          return OK(6);
        },
        rows(text('1')),
      ),
    );
    expect((await runCheck('mysql', { host, port, settings: login })).error).toBeNull();
    expect(password).toBe('geheim\0');
  });

  it.each(['caching_sha2_password', 'auth_socket'])('follows a switch from %s to another method', async (plugin) => {
    const { port } = await startScript(
      dialogue(greeting(plugin), change('mysql_native_password'), OK(4), rows(text('1'))),
    );
    expect((await runCheck('mysql', { host, port, settings: login })).error).toBeNull();
  });

  it('offers a method of its own if it does not know the default of the server', async () => {
    const { port, received } = await startScript(dialogue(greeting('auth_socket'), OK(2), rows(text('1'))));
    expect((await runCheck('mysql', { host, port, settings: login })).error).toBeNull();
    expect(received[0]!.toString('latin1')).toContain('mysql_native_password\0');
  });

  it.each<[string, Buffer[], object, string]>([
    ['a wrong password', [NATIVE, failure(2, 1045)], login, 'authentication_failed'],
    ['an unknown database', [NATIVE, failure(2, 1049)], login, 'command_failed'],
    ['too many connections', [failure(0, 1040)], login, 'command_failed'],
    ['a faulty statement', [NATIVE, OK(2), failure(1, 1064)], login, 'command_failed'],
    [
      'a request for a file',
      [NATIVE, OK(2), packet(1, Buffer.from('\xfb/etc/passwd', 'latin1'))],
      login,
      'command_failed',
    ],
    ['an unknown method', [NATIVE, change('auth_socket')], login, 'authentication_failed'],
    [
      'an invalid public key',
      [CACHING, packet(2, Buffer.from([1, 4])), packet(4, '\x01no key')],
      login,
      'protocol_error',
    ],
    ['a server without TLS', [NATIVE], { ...login, tls: true }, 'tls_failed'],
    ['another protocol', [Buffer.from('220 mail ready\r\n')], login, 'protocol_error'],
    ['a short greeting', [packet(0, '\x0a8\0')], login, 'protocol_error'],
    ['a wrong sequence', [NATIVE, OK(5)], login, 'protocol_error'],
    ['a value beyond the packet', [NATIVE, OK(2), rows(Buffer.from([0xfc]))], login, 'protocol_error'],
  ])('fails on %s', async (_, [first, ...replies], settings, code) => {
    const { port, received, idle } = await startScript(dialogue(first!, ...replies));
    const outcome = await runCheck('mysql', { host, port, settings });
    expect(outcome.error?.code).toBe(code);
    expect(outcome.error!.message).not.toContain('secret text');
    // No password and no file is sent to whatever this is.
    expect(received[0]!.toString('latin1')).not.toMatch(/geheim|root:/);
    await idle();
  });
});
