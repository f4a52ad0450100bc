import { type Conversation } from '../net/conversation.js';
import { notThis, offered } from './refusals.js';

/** The extended request StartTLS (RFC 4511, section 4.14), in BER. */
const REQUEST = Buffer.from('301d02010177188016312e332e362e312e342e312e313436362e3230303337', 'hex');
const SEQUENCE = 0x30;
const EXTENDED_RESPONSE = 0x78;
const ENUMERATED = 0x0a;

/** Asks an LDAP server to change to TLS. */
export async function startLdap(conversation: Conversation): Promise<void> {
  conversation.send(REQUEST);
  const message = await conversation.take((unread) => {
    if (unread.length > 0 && unread[0] !== SEQUENCE) throw notThis('LDAP');
    const content = elementAt(unread, 0);
    return content && content.end;
  });
  const body = elementAt(message, 0)!;
  const id = elementAt(message, body.start);
  const response = id && elementAt(message, id.end);
  const result = response && elementAt(message, response.start);
  if (response?.tag !== EXTENDED_RESPONSE || result?.tag !== ENUMERATED) throw notThis('LDAP');
  offered(message.subarray(result.start, result.end).every((byte) => byte === 0));
}

interface Element {
  tag: number;
  start: number;
  end: number;
}

/** Returns the BER element at an offset; `null` if its head is incomplete. Lengths of more than four bytes are refused. */
function elementAt(bytes: Buffer, at: number): Element | null {
  const [tag, length] = [bytes[at], bytes[at + 1]];
  if (tag === undefined || length === undefined) return null;
  if (length < 0x80) return { tag, start: at + 2, end: at + 2 + length };
  const size = length & 0x7f;
  if (size === 0 || size > 4) throw notThis('LDAP');
  if (bytes.length < at + 2 + size) return null;
  const start = at + 2 + size;
  return { tag, start, end: start + bytes.readUIntBE(at + 2, size) };
}
