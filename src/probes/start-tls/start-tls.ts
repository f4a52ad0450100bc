import { type Conversation } from '../net/conversation.js';
import { handshakeHead, Packets, readGreeting, SSL } from '../mysql/mysql-wire.js';
import { numberedReply } from '../net/numbered-reply.js';
import { expectCode, introduce, startTls as smtpStartTls } from '../smtp/smtp-session.js';
import { startLdap } from './ldap.js';
import { notThis, offered } from './refusals.js';

/** Asks a server to change to TLS, and settles when the handshake may begin. */
type Start = (conversation: Conversation) => Promise<void>;

/** The protocols with a command that changes to TLS, with their usual ports. */
export const START_TLS = {
  smtp: { port: 25, start: startSmtp },
  imap: { port: 143, start: startImap },
  pop3: { port: 110, start: startPop3 },
  ftp: { port: 21, start: startFtp },
  ldap: { port: 389, start: startLdap },
  postgres: { port: 5432, start: startPostgres },
  mysql: { port: 3306, start: startMysql },
} satisfies Record<string, { port: number; start: Start }>;

export type StartTlsProtocol = keyof typeof START_TLS;
export const START_TLS_PROTOCOLS = Object.keys(START_TLS) as StartTlsProtocol[];

async function startSmtp(conversation: Conversation): Promise<void> {
  expectCode(await numberedReply(conversation), 220);
  await introduce(conversation);
  await smtpStartTls(conversation);
}

async function startImap(conversation: Conversation): Promise<void> {
  if (!/^\* (OK|PREAUTH)\b/i.test(await conversation.line())) throw notThis('IMAP');
  conversation.send('a1 STARTTLS\r\n');
  for (;;) {
    const [, status] = /^a1 (\w+)/i.exec(await conversation.line()) ?? [];
    if (status !== undefined) return offered(status.toUpperCase() === 'OK');
  }
}

async function startPop3(conversation: Conversation): Promise<void> {
  if (!(await conversation.line()).startsWith('+OK')) throw notThis('POP3');
  conversation.send('STLS\r\n');
  offered((await conversation.line()).startsWith('+OK'));
}

async function startFtp(conversation: Conversation): Promise<void> {
  expectCode(await numberedReply(conversation), 220);
  conversation.send('AUTH TLS\r\n');
  offered((await numberedReply(conversation)).code === 234);
}

/** The SSLRequest message: https://www.postgresql.org/docs/current/protocol-message-formats.html */
const SSL_REQUEST = Buffer.from('0000000804d2162f', 'hex');

async function startPostgres(conversation: Conversation): Promise<void> {
  conversation.send(SSL_REQUEST);
  const answer = (await conversation.bytes(1)).toString('latin1');
  if (!/[SNE]/.test(answer)) throw notThis('PostgreSQL');
  offered(answer === 'S');
}

async function startMysql(conversation: Conversation): Promise<void> {
  const packets = new Packets(conversation);
  offered(readGreeting(await packets.next()).offersTls);
  packets.send(handshakeHead(SSL));
}
