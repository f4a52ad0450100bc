import { describe, expect, it } from '@jest/globals';
import { type SMTPServerOptions } from 'smtp-server';
import { mailServer, refusal, sendMail } from '../../../test/support/mail-server.js';
import { rawTarget } from '../../../test/support/raw-target.js';
import { readConfig } from '../../config/app-config.js';
import { serverOf } from './smtp-mailer.js';

describe('mail over SMTP', () => {
  it.each([
    ['TLS from the start', 'smtps', { secure: true }, true],
    ['STARTTLS', 'smtp', {}, true],
    ['no TLS', 'smtp', { hideSTARTTLS: true, disabledCommands: ['STARTTLS'] }, false],
  ])('sends without a login over %s', async (_, scheme, options, isSecure) => {
    const { port, accepted } = await mailServer(options);
    expect(await sendMail(`${scheme}://localhost:${port}`)).toMatchObject({ status: 'sent' });
    expect(accepted[0]).toMatchObject({ isSecure, user: undefined });
  });

  it.each([
    ['TLS from the start', 'smtps', { secure: true }],
    ['STARTTLS', 'smtp', {}],
  ])('sends with a login over %s', async (_, scheme, options) => {
    const { port, accepted } = await mailServer({ authOptional: false, ...options });
    expect(await sendMail(`${scheme}://alerts:p%3Aw%2Fd@localhost:${port}`)).toMatchObject({ status: 'sent' });
    expect(accepted[0]).toMatchObject({ isSecure: true, user: 'alerts' });
  });

  it('never logs in without TLS', async () => {
    const { port, accepted } = await mailServer({
      hideSTARTTLS: true,
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
    });
    const delivery = await sendMail(`smtp://alerts:p%3Aw%2Fd@localhost:${port}`);
    expect(delivery).toMatchObject({ status: 'failed', permanent: expect.any(Boolean) });
    expect(accepted).toEqual([]);
  });

  it('does not trust a certificate that nobody vouches for', async () => {
    const { port, accepted } = await mailServer();
    const delivery = await sendMail(`smtp://alerts:p%3Aw%2Fd@localhost:${port}`, { isTrusted: false });
    expect(delivery).toMatchObject({ status: 'failed', permanent: false });
    expect(accepted).toEqual([]);
  });

  it('reports a refused login, without the password', async () => {
    const { port } = await mailServer({ authOptional: false });
    const delivery = await sendMail(`smtp://alerts:wrong-password@localhost:${port}`);
    expect(delivery).toMatchObject({
      status: 'failed',
      permanent: false,
      error: expect.stringMatching(/^The mail server refused the login: 535 /),
    });
    expect(JSON.stringify(delivery)).not.toContain('wrong-password');
  });

  it.each<[string, SMTPServerOptions]>([
    ['the connection', { onConnect: (_, done) => done(refusal(554, 'Account suspended')) }],
    ['the sender', { onMailFrom: (_, __, done) => done(refusal(550, 'Account suspended')) }],
    ['the greeting of the client', { disabledCommands: ['EHLO', 'HELO'] }],
  ])('does not treat a refusal of %s as final for the mail', async (_, options) => {
    const { port } = await mailServer(options);
    const delivery = await sendMail(`smtp://localhost:${port}`);
    expect(delivery).toMatchObject({ status: 'failed', permanent: false, error: expect.stringMatching(/: 5\d\d /) });
  });

  it('reports a refused mail', async () => {
    const { port } = await mailServer({
      onData: (stream, _, done) => {
        stream.resume();
        stream.on('end', () => done(refusal(554, 'Looks like spam')));
      },
    });
    expect(await sendMail(`smtp://localhost:${port}`)).toMatchObject({
      status: 'failed',
      permanent: true,
      error: expect.stringContaining('Looks like spam'),
    });
  });

  it('reports a refused recipient', async () => {
    const { port, accepted } = await mailServer();
    const delivery = await sendMail(`smtp://localhost:${port}`, { to: ['nobody@example.com'] });
    expect(delivery).toMatchObject({
      status: 'failed',
      permanent: true,
      error: expect.stringContaining('No such user here'),
    });
    expect(accepted).toEqual([]);
  });

  it.each([550, 451])(
    'names the recipients that are refused with %d, and sends the mail once to the others',
    async (code) => {
      const { port, accepted } = await mailServer({
        onRcptTo: ({ address }, _, done) => done(address.startsWith('nobody') ? refusal(code, 'Not now') : null),
      });
      const delivery = await sendMail(`smtp://localhost:${port}`, { to: ['nobody@example.com', 'ops@example.com'] });
      expect(delivery).toMatchObject({
        status: 'failed',
        permanent: true,
        error: 'The mail server refused nobody@example.com; the email was sent to the other recipients.',
      });
      expect(accepted.map(({ recipients }) => recipients)).toEqual([['ops@example.com']]);
    },
  );

  it('treats a temporary refusal as such', async () => {
    const { port } = await mailServer({ onMailFrom: (_, __, done) => done(refusal(451, 'Try again later')) });
    const delivery = await sendMail(`smtp://localhost:${port}`);
    expect(delivery).toMatchObject({
      status: 'failed',
      permanent: false,
      error: expect.stringContaining('Try again later'),
    });
  });

  it('gives up at the deadline, and closes the connection', async () => {
    let closed: () => void;
    const isClosed = new Promise<void>((done) => (closed = done));
    const silent = await rawTarget(() => undefined);
    const { port } = await mailServer({ onData: (stream) => void stream.resume(), onClose: () => closed() });
    expect(await sendMail(`smtp://localhost:${port}`, { timeoutMs: 1_000 })).toMatchObject({
      status: 'failed',
      permanent: false,
    });
    await isClosed;
    expect(await sendMail(`smtp://localhost:${silent.port}`, { timeoutMs: 300 })).toMatchObject({
      status: 'failed',
      permanent: false,
      error: 'The mail server did not accept the email within the time limit.',
    });
    await silent.close();
  });

  it('reports a server that cannot be reached', async () => {
    const gone = await rawTarget(() => undefined);
    await gone.close();
    expect(await sendMail(`smtp://127.0.0.1:${gone.port}`)).toMatchObject({
      status: 'failed',
      permanent: false,
      error: 'The mail server cannot be reached.',
    });
  });
});

describe('SMTP_URL', () => {
  const login = (user: string, pass: string) => ({ auth: { user, pass }, forceAuth: true });

  it.each<[string, ReturnType<typeof serverOf>]>([
    ['smtp://mail.example.com', { host: 'mail.example.com', port: 587, secure: false }],
    ['smtp://mail.example.com:25', { host: 'mail.example.com', port: 25, secure: false }],
    ['smtps://mail.example.com', { host: 'mail.example.com', port: 465, secure: true }],
    ['smtps://mail.example.com:2465/', { host: 'mail.example.com', port: 2_465, secure: true }],
    ['smtp://[2001:db8::25]:2525', { host: '2001:db8::25', port: 2_525, secure: false }],
    [
      'smtp://alerts:secret@mail.example.com',
      { host: 'mail.example.com', port: 587, secure: false, requireTLS: true, ...login('alerts', 'secret') },
    ],
    [
      'smtps://jo%40example.com:p%3Aw%2Fd%40%25%20%C3%A9@mail.example.com:465',
      { host: 'mail.example.com', port: 465, secure: true, requireTLS: false, ...login('jo@example.com', 'p:w/d@% é') },
    ],
    [
      // RFC 3986: only a password may contain an unescaped colon.
      'smtp://alerts:a:b@mail.example.com',
      { host: 'mail.example.com', port: 587, secure: false, requireTLS: true, ...login('alerts', 'a:b') },
    ],
    [
      'smtp://token-only@mail.example.com',
      { host: 'mail.example.com', port: 587, secure: false, requireTLS: true, ...login('token-only', '') },
    ],
  ])('%s names a server and a login', (url, server) => {
    const config = readConfig({ SMTP_URL: url, MAIL_FROM: 'alerts@example.com' });
    expect(serverOf(config.get('SMTP_URL')!)).toEqual(server);
  });

  it.each([
    ['another scheme', 'http://alerts:s3cr3t@mail.example.com:25'],
    ['another scheme', 'smtp+starttls://alerts:s3cr3t@mail.example.com'],
    ['no scheme', 'alerts:s3cr3t@mail.example.com'],
    ['no host', 'smtp://alerts:s3cr3t@'],
    ['a port that does not exist', 'smtp://alerts:s3cr3t@mail.example.com:65536'],
    ['a port that is no number', 'smtp://alerts:s3cr3t@mail.example.com:smtp'],
    ['an unescaped slash in the password', 'smtp://alerts:s3cr3t/x@mail.example.com'],
    ['an unescaped percent sign in the password', 'smtp://alerts:s3cr3t%@mail.example.com'],
    ['a space in the host', 'smtp://alerts:s3cr3t@mail example.com'],
  ])('is rejected with %s, and the error does not contain the password', (_, url) => {
    const read = (): unknown => readConfig({ SMTP_URL: url, MAIL_FROM: 'alerts@example.com' });
    const form = 'must have the form smtp://user:password@host:port, or smtps://… for TLS from the start';
    expect(read).toThrow(expect.objectContaining({ faults: [`SMTP_URL ${form}`] }));
    expect(read).toThrow(expect.not.objectContaining({ message: expect.stringContaining('s3cr3t') }));
  });
});
