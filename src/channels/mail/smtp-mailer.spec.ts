import { describe, expect, it } from '@jest/globals';
import { mailServer, refusal, sendMail } from '../../../test/support/mail-server.js';
import { rawTarget } from '../../../test/support/raw-target.js';

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
      permanent: true,
      error: expect.stringMatching(/^The mail server refused the login: 535 /),
    });
    expect(JSON.stringify(delivery)).not.toContain('wrong-password');
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

  it('names the recipients that are refused, and sends the mail to the others', async () => {
    const { port, accepted } = await mailServer();
    const delivery = await sendMail(`smtp://localhost:${port}`, { to: ['nobody@example.com', 'ops@example.com'] });
    expect(delivery).toMatchObject({
      status: 'failed',
      permanent: true,
      error: 'The mail server refused nobody@example.com; the other recipients were sent the mail.',
    });
    expect(accepted.map(({ recipients }) => recipients)).toEqual([['ops@example.com']]);
  });

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
      error: 'The mail server did not accept the mail within the time limit.',
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
