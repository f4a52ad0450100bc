import { afterEach, describe, expect, it } from '@jest/globals';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { problemsOf } from '../../test/support/field-problems.js';
import { runCheck, startScript, stopsServers } from '../../test/support/probe-scripts.js';
import { testCertificate } from '../../test/support/raw-target.js';
import { dialogue } from '../../test/support/scripted-server.js';
import { SmtpFields, smtpProbe } from './smtp.probe.js';

stopsServers();
const servers: SMTPServer[] = [];

/** Starts a mail server that knows one user, and refuses mail to `nobody`. */
async function mailServer(options: SMTPServerOptions = {}): Promise<number> {
  const { cert, key } = testCertificate('valid') as { cert: Buffer; key: Buffer };
  const server = new SMTPServer({
    cert,
    key,
    authOptional: true,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _, done) => {
      if (username === 'mon' && password === 'geheim ü') done(null, { user: 'mon' });
      else done(new Error('wrong'));
    },
    onRcptTo: ({ address }, _, done) => {
      if (address.startsWith('nobody')) done(Object.assign(new Error('unknown'), { responseCode: 550 }));
      else done();
    },
    ...options,
  });
  server.on('error', () => undefined);
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.server.address() as { port: number }).port;
}

afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise<void>((done) => void server.close(done));
});

const host = 'localhost';
const login = { username: 'mon', password: 'geheim ü' };

describe('SmtpFields', () => {
  it.each([
    [{ security: 'ssl' }, '/settings/security isIn'],
    [{ from: 'a\r\nRCPT TO:<b>' }, '/settings/from isEmail'],
    [{ to: 'nobody' }, '/settings/to isEmail'],
    [{ to: 'b@example.com' }, '/settings/to invalid_value'],
    [{ from: null, to: 'b@example.com' }, '/settings/to invalid_value'],
    [{ password: 'geheim' }, '/settings/password invalid_value'],
    [{ username: null, password: 'geheim' }, '/settings/password invalid_value'],
  ])('rejects %j with %s', (settings, problem) =>
    expect(problemsOf(SmtpFields, { host, settings })).toContain(problem),
  );

  it.each([
    { from: 'a@example.com' },
    { from: 'a@example.com', to: 'b@example.com' },
    { username: 'mon' },
    { username: 'mon', password: '' },
    { username: null, password: '********' },
    { from: null, to: null, username: null, password: null },
  ])('accepts %j', (settings) => expect(problemsOf(SmtpFields, { host, settings })).toEqual([]));

  it.each([
    ['none', 25],
    ['starttls', 587],
    ['tls', 465],
  ] as const)('for the security %s uses port %d by default', (security, port) => {
    expect(smtpProbe.complete!({ host, settings: { security } })).toMatchObject({ port });
    expect(smtpProbe.target({ host, settings: { security } })).toBe(`localhost:${port}`);
  });
});

describe('the SMTP probe', () => {
  it.each<[string, SMTPServerOptions, object]>([
    ['a greeting', {}, {}],
    ['STARTTLS', {}, { security: 'starttls' }],
    ['TLS', { secure: true }, { security: 'tls' }],
    ['AUTH PLAIN', {}, { security: 'starttls', ...login }],
    ['AUTH LOGIN', { authMethods: ['LOGIN'] }, { security: 'starttls', ...login }],
    ['an envelope', {}, { from: 'a@example.com', to: 'b@example.com' }],
    ['a sender', {}, { from: 'a@example.com' }],
  ])('passes with %s', async (_, options, settings) => {
    const port = await mailServer(options);
    const assertions = [{ source: 'textBody', comparison: 'contains', target: 'ESMTP' }];
    const outcome = await runCheck('smtp', { host, port, settings, assertions });
    expect(outcome).toMatchObject({ error: null, responseTimeMs: expect.any(Number) });
    expect(outcome.timings.tlsMs).toEqual('security' in settings ? expect.any(Number) : null);
  });

  it.each<[string, SMTPServerOptions, object, string]>([
    ['a wrong password', {}, { ...login, password: 'other' }, 'authentication_failed'],
    [
      'a wrong password by AUTH LOGIN',
      { authMethods: ['LOGIN'] },
      { ...login, password: 'x' },
      'authentication_failed',
    ],
    ['no offered method', { authMethods: ['XOAUTH2'] }, login, 'authentication_failed'],
    ['a refused recipient', {}, { from: 'a@example.com', to: 'nobody@example.com' }, 'command_failed'],
    ['a server without STARTTLS', { disabledCommands: ['STARTTLS'] }, { security: 'starttls' }, 'tls_failed'],
    ['a server without TLS', {}, { security: 'tls' }, 'tls_failed'],
  ])('fails on %s', async (_, options, settings, code) => {
    const port = await mailServer(options);
    const outcome = await runCheck('smtp', { host, port, settings });
    expect(outcome.error?.code).toBe(code);
  });

  it.each<[string, string, string]>([
    ['a busy server', '421 too busy\r\n', 'unexpected_status'],
    ['another protocol', '* OK IMAP ready\r\n', 'protocol_error'],
    ['a greeting without end', '220-more\r\n'.repeat(300), 'protocol_error'],
    ['a line without end', '220-'.padEnd(20_000, 'x'), 'response_too_large'],
  ])('fails on %s', async (_, greeting, code) => {
    const { port, idle } = await startScript(dialogue(greeting));
    expect((await runCheck('smtp', { host, port })).error?.code).toBe(code);
    await idle();
  });

  it('refuses what a server adds to its consent to STARTTLS', async () => {
    const { port } = await startScript(
      dialogue('220 hi\r\n', '250-hi\r\n250 STARTTLS\r\n', '220 go\r\n250 injected\r\n'),
    );
    const outcome = await runCheck('smtp', { host, port, settings: { security: 'starttls' } });
    expect(outcome.error).toEqual({ code: 'protocol_error', message: 'The server sent data before TLS had started.' });
  });
});
