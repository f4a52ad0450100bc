import { type Conversation } from '../net/conversation.js';
import { type NumberedReply, numberedReply } from '../net/numbered-reply.js';
import { ProbeFault } from '../net/probe-fault.js';
import { offered } from '../start-tls/refusals.js';

/** A reserved name (RFC 2606), so that the name of this machine is not disclosed. */
const EHLO = 'EHLO daywatch.invalid';

/**
 * Reads the greeting of a mail server, introduces itself, and with `secure` changes to TLS. Returns the greeting and the
 * extensions that the server offers. @throws ProbeFault
 */
export async function greet(
  conversation: Conversation,
  secure: (() => Promise<void>) | null,
): Promise<{ greeting: string; extensions: string[] }> {
  const greeting = expectCode(await numberedReply(conversation), 220).lines.join('\n');
  let extensions = await introduce(conversation);
  if (secure) {
    await startTls(conversation);
    await secure();
    // What was said before TLS is void (RFC 3207, section 4.2).
    extensions = await introduce(conversation);
  }
  return { greeting, extensions };
}

/** Asks a server that has been introduced to change to TLS. @throws ProbeFault */
export async function startTls(conversation: Conversation): Promise<void> {
  const { code } = await ask(conversation, 'STARTTLS');
  offered(code === 220);
}

export async function introduce(conversation: Conversation): Promise<string[]> {
  return expectCode(await ask(conversation, EHLO), 250).lines.slice(1);
}

/** Signs in (RFC 4954), with the first of PLAIN and LOGIN that the server offers. @throws ProbeFault */
export async function signIn(
  conversation: Conversation,
  extensions: readonly string[],
  username: string,
  password: string,
): Promise<void> {
  const offered =
    extensions
      .find((line) => /^AUTH[ =]/i.test(line))
      ?.toUpperCase()
      .split(/[ =]/) ?? [];
  if (offered.includes('PLAIN')) {
    accepted(await ask(conversation, `AUTH PLAIN ${base64(`\0${username}\0${password}`)}`));
  } else if (offered.includes('LOGIN')) {
    const { code } = await ask(conversation, `AUTH LOGIN ${base64(username)}`);
    if (code !== 334) throw denied(code);
    accepted(await ask(conversation, base64(password)));
  } else {
    throw new ProbeFault('authentication_failed', 'The server offers neither AUTH PLAIN nor AUTH LOGIN.');
  }
}

/** Offers an envelope, and takes it back. @throws ProbeFault */
export async function envelope(conversation: Conversation, from: string, to: string | null): Promise<void> {
  taken(await ask(conversation, `MAIL FROM:<${from}>`), 'sender');
  if (to !== null) taken(await ask(conversation, `RCPT TO:<${to}>`), 'recipient');
  await ask(conversation, 'RSET');
}

function ask(conversation: Conversation, line: string): Promise<NumberedReply> {
  conversation.send(`${line}\r\n`);
  return numberedReply(conversation);
}

function accepted({ code }: NumberedReply): void {
  if (code !== 235) throw denied(code);
}

function denied(code: number): ProbeFault {
  return new ProbeFault('authentication_failed', `The server denied access (reply ${code}).`);
}

function taken({ code }: NumberedReply, what: string): void {
  if (code >= 300) throw new ProbeFault('command_failed', `The server refused the ${what} (reply ${code}).`);
}

/** @throws ProbeFault if a reply has another code */
export function expectCode(reply: NumberedReply, expected: number): NumberedReply {
  if (reply.code === expected) return reply;
  throw new ProbeFault('unexpected_status', `The server replied ${reply.code} instead of ${expected}.`);
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
