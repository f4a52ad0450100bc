import { type Conversation } from './conversation.js';
import { ProbeFault } from './probe-fault.js';

/** A reply of SMTP (RFC 5321, section 4.2) or FTP (RFC 959, section 4.2). */
export interface NumberedReply {
  code: number;
  /** The texts of all lines, without the code. */
  lines: string[];
}

const MAX_LINES = 200;

/** Reads a reply of one or more lines. Rejects with a `ProbeFault` `protocol_error` if it is none. */
export async function numberedReply(conversation: Conversation): Promise<NumberedReply> {
  const lines: string[] = [];
  let first = '';
  while (lines.length < MAX_LINES) {
    const [, code, separator, text] = /^(?:(\d{3})([ -]|$))?(.*)$/s.exec(await conversation.line())!;
    first ||= code ?? '';
    // In FTP, lines between the first and the last need no code.
    if (first === '') break;
    lines.push(text!);
    if (code === first && separator !== '-') return { code: Number(code), lines };
  }
  throw new ProbeFault('protocol_error', 'The response is not a valid reply of this protocol.');
}
