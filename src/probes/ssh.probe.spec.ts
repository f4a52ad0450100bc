import { describe, expect, it } from '@jest/globals';
import { problemsOf } from '../../test/support/field-problems.js';
import { runCheck, startScript, stopsServers } from '../../test/support/probe-scripts.js';
import { dialogue } from '../../test/support/scripted-server.js';
import { sshServer, type SshServerKey, sshServerKey } from '../../test/support/ssh-server.js';
import { SshFields } from './ssh.probe.js';

stopsServers();
const host = '127.0.0.1';
const fingerprint = 'SHA256:uNiVztksCsDhcc0u9e8BrFJXQCBpmGYNmnYR4k0bRCc';

describe('SshFields', () => {
  it.each([
    [{ fingerprint: 'MD5:aa:bb' }, '/settings/fingerprint matches'],
    [{ fingerprint: `${fingerprint}=` }, '/settings/fingerprint matches'],
    [{ hostKeyType: 'dsa' }, '/settings/hostKeyType isIn'],
  ])('rejects %j with %s', (settings, problem) => expect(problemsOf(SshFields, { host, settings })).toContain(problem));
});

describe('the SSH probe', () => {
  it.each([
    ['an identification', 'SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n'],
    ['an identification after other lines', 'Welcome\r\nto this server\r\nSSH-2.0-OpenSSH_9.2p1 x\r\n'],
    ['an old server that also supports version 2', 'SSH-1.99-OpenSSH_9.2p1\n'],
  ])('passes on %s', async (_, greeting) => {
    const { port } = await startScript(dialogue(greeting));
    const assertions = [{ source: 'textBody', comparison: 'contains', target: 'OpenSSH_9.2p1' }];
    expect((await runCheck('ssh', { host, port, assertions })).error).toBeNull();
  });

  it.each([
    ['version 1', 'SSH-1.5-old\r\n', 'protocol_error'],
    ['another protocol', '220 mail ready\r\n'.repeat(60), 'protocol_error'],
    ['a line without end', 'x'.repeat(20_000), 'response_too_large'],
  ])('fails on %s', async (_, greeting, code) => {
    const { port, idle } = await startScript(dialogue(greeting));
    expect((await runCheck('ssh', { host, port })).error?.code).toBe(code);
    await idle();
  });

  it.each(['ed25519', 'ecdsa', 'rsa'] as const)('verifies a host key of type %s', async (hostKeyType) => {
    const key = sshServerKey(hostKeyType);
    const { port } = await startScript(sshServer(key));
    const settings = { fingerprint: key.fingerprint, hostKeyType };
    expect((await runCheck('ssh', { host, port, settings })).error).toBeNull();
    const other = await runCheck('ssh', { host, port, settings: { fingerprint } });
    expect(other.error).toMatchObject({
      code: 'unexpected_response',
      message: expect.stringContaining(key.fingerprint),
    });
  });

  it.each([
    ['curve25519-sha256@libssh.org', 'ecdh-sha2-nistp256'],
    ['ecdh-sha2-nistp256', 'diffie-hellman-group14-sha256'],
  ])('verifies a host key by the key exchange %s', async (...exchanges) => {
    const key = sshServerKey('ed25519');
    const { port } = await startScript(sshServer(key, exchanges));
    const settings = { fingerprint: key.fingerprint };
    expect((await runCheck('ssh', { host, port, settings })).error).toBeNull();
  });

  it('fails if the server does not have the key that it shows', async () => {
    const [shown, own] = [sshServerKey('ed25519'), sshServerKey('ed25519')];
    const thief: SshServerKey = { ...shown, sign: own.sign };
    const { port } = await startScript(sshServer(thief));
    const outcome = await runCheck('ssh', { host, port, settings: { fingerprint: shown.fingerprint } });
    expect(outcome.error).toMatchObject({ code: 'protocol_error', message: expect.stringContaining('did not prove') });
  });

  it('fails if the server has no key of the type, or no known key exchange', async () => {
    const { port } = await startScript(sshServer(sshServerKey('rsa')));
    const settings = { fingerprint, hostKeyType: 'ed25519' };
    expect((await runCheck('ssh', { host, port, settings })).error?.message).toContain('no host key');
    const old = await startScript(sshServer(sshServerKey('rsa'), ['diffie-hellman-group1-sha1']));
    expect((await runCheck('ssh', { host, port: old.port, settings })).error?.message).toContain('curve25519');
  });
});
