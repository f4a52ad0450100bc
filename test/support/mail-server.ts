import { afterEach } from '@jest/globals';
import { type AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { type Delivery } from '../../src/channels/channel.js';
import { emailChannel } from '../../src/channels/email.channel.js';
import { createSmtpMailer } from '../../src/channels/mail/smtp-mailer.js';
import { type Message } from '../../src/channels/message.js';
import { sendBy } from './channel-messages.js';
import { testCertificate, testTrust } from './raw-target.js';

/** A mail as a server accepted it. */
export interface Accepted {
  recipients: string[];
  user: string | undefined;
  isSecure: boolean;
  raw: string;
}

export interface MailServer {
  port: number;
  accepted: Accepted[];
  close(): Promise<void>;
}

const servers: MailServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((one) => one.close())));

/** Starts a mail server that ends with the test. */
export async function mailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const server = await openMailServer(options);
  servers.push(server);
  return server;
}

/** Starts a real mail server that knows `alerts` with the password `p:w/d` and refuses mail for `nobody@…`. */
export async function openMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const accepted: Accepted[] = [];
  const server = new SMTPServer({
    authOptional: true,
    logger: false,
    ...testCertificate('valid'),
    onAuth: ({ username, password }, _, done) => {
      if (username === 'alerts' && password === 'p:w/d') done(null, { user: username });
      else done(refusal(535, 'Authentication credentials invalid'));
    },
    onRcptTo: ({ address }, _, done) => {
      done(address.startsWith('nobody') ? refusal(550, 'No such user here') : null);
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const recipients = session.envelope.rcptTo.map(({ address }) => address);
        accepted.push({
          recipients,
          // The server sets `false` after a session without a login was upgraded to TLS.
          user: (session.user as string | false | undefined) || undefined,
          isSecure: session.secure,
          raw: Buffer.concat(chunks).toString(),
        });
        done(null, 'queued as 4711');
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    port: (server.server.address() as AddressInfo).port,
    accepted,
    close: () => new Promise<void>((done) => server.close(() => done())),
  };
}

/** Returns the error with which a server answers a command. */
export function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

export interface MailOptions {
  to?: string[];
  message?: Message;
  timeoutMs?: number;
  isTrusted?: boolean;
}

/** Sends a message through the channel `email` and the server at this URL. */
export function sendMail(
  url: string,
  { to = ['ops@example.com'], message, timeoutMs, isTrusted = true }: MailOptions = {},
): Promise<Delivery> {
  const from = 'Daywatch <alerts@daywatch.example>';
  const mail = createSmtpMailer({ url, from, ...(isTrusted && { trust: testTrust() }) });
  return sendBy(emailChannel, { to }, message, { mail, ...(timeoutMs !== undefined && { timeoutMs }) });
}

/** Returns the headers of a mail, unfolded. */
export function headersOf(raw: string): string {
  return raw.split('\r\n\r\n', 1)[0]!.replace(/\r\n[ \t]+/g, ' ');
}

/** Returns the decoded part of a mail with this type. */
export function partOf(raw: string, type: string): string {
  const part = raw.split(/\r\n--[^\r\n]+\r\n/).find((one) => one.includes(`Content-Type: ${type}`))!;
  const body = part.slice(part.indexOf('\r\n\r\n') + 4);
  if (/Content-Transfer-Encoding: base64/i.test(part)) return Buffer.from(body, 'base64').toString('utf8');
  if (!/Content-Transfer-Encoding: quoted-printable/i.test(part)) return body;
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
