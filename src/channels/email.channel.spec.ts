import { describe, expect, it } from '@jest/globals';
import { MARKUP, MESSAGES, messageOf, monitorOf, resolveOf, sendBy } from '../../test/support/channel-messages.js';
import { headersOf, mailServer, partOf, sendMail } from '../../test/support/mail-server.js';
import { emailChannel } from './email.channel.js';

describe('the channel email', () => {
  it.each(Object.entries(MESSAGES))('sends a mail that a server accepts: %s', async (_, message) => {
    const { port, accepted } = await mailServer();
    const delivery = await sendMail(`smtp://localhost:${port}`, { message });
    expect(delivery).toEqual({ status: 'sent', providerId: `<${message.id}@daywatch.example>`, statusCode: null });
    expect(accepted).toHaveLength(1);
    expect(Math.max(...accepted[0]!.raw.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998);
  });

  it('is text and HTML, with the facts and the links', async () => {
    const { port, accepted } = await mailServer();
    await sendMail(`smtp://localhost:${port}`, { to: ['ops@example.com', 'on-call@example.com'] });
    const { raw, recipients } = accepted[0]!;
    expect(recipients).toEqual(['ops@example.com', 'on-call@example.com']);
    expect(headersOf(raw)).toMatch(/^Subject: DOWN Checkout API: status 503 since 15:58 UTC$/m);
    expect(headersOf(raw)).toMatch(/^From: Daywatch <alerts@daywatch\.example>$/m);
    expect(headersOf(raw)).toMatch(/^Auto-Submitted: auto-generated$/m);
    for (const type of ['text/plain', 'text/html']) {
      expect(partOf(raw, type)).toContain('The response has status 503; expected 2xx.');
      expect(partOf(raw, type)).toContain(messageOf().links.acknowledge);
    }
  });

  it('makes the mails of an alert one thread, with the same id in each attempt', async () => {
    const { port, accepted } = await mailServer();
    const url = `smtp://localhost:${port}`;
    await sendMail(url);
    await sendMail(url);
    await sendMail(url, { message: resolveOf({ id: '0198f3a2-3333-7000-8000-000000000001' }) });
    const thread = `<${messageOf().alertKey}@daywatch.example>`;
    const ids = accepted.map(({ raw }) => /^Message-ID: (.*)$/m.exec(headersOf(raw))![1]);
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).toBe('<0198f3a2-3333-7000-8000-000000000001@daywatch.example>');
    for (const { raw } of accepted) {
      expect(headersOf(raw)).toContain(`\r\nIn-Reply-To: ${thread}`);
      expect(headersOf(raw)).toContain(`\r\nReferences: ${thread}`);
    }
  });

  it('escapes names in HTML, and keeps line breaks out of headers', async () => {
    const { port, accepted } = await mailServer();
    const name = `${MARKUP.slice(0, 60)}\r\nBcc: victim@example.com`;
    await sendMail(`smtp://localhost:${port}`, { message: messageOf({ monitors: [monitorOf({ name })] }) });
    const { raw, recipients } = accepted[0]!;
    expect(recipients).toEqual(['ops@example.com']);
    expect(headersOf(raw)).not.toMatch(/^Bcc:/m);
    expect(partOf(raw, 'text/html')).toContain('&lt;/b>&amp;amp; *a*');
  });

  it('fails permanently where the operator has configured no server', async () => {
    expect(await sendBy(emailChannel, { to: ['ops@example.com'] })).toMatchObject({
      status: 'failed',
      permanent: true,
    });
  });
});
