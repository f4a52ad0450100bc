import { createHash, randomBytes } from 'node:crypto';
import { requestOf } from '../http/request.js';
import { takeHead } from '../http/response-head.js';
import { type Conversation } from '../net/conversation.js';
import { ProbeFault } from '../net/probe-fault.js';

const SWITCHING_PROTOCOLS = 101;
/** RFC 6455, section 1.3. */
const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** What to ask a server for. */
export interface Upgrade {
  url: URL;
  headers: Record<string, string>;
  subprotocol: string | null;
}

/** Changes a connection to WebSocket. Calls `onStatus` with the status of the response. @throws ProbeFault */
export async function upgrade(
  conversation: Conversation,
  { url, headers, subprotocol }: Upgrade,
  onStatus: (statusCode: number) => void,
): Promise<void> {
  const key = randomBytes(16).toString('base64');
  const ours = {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': key,
    ...(subprotocol !== null && { 'Sec-WebSocket-Protocol': subprotocol }),
  };
  const request = requestOf({ url, method: 'GET', headers: { ...headers, ...ours }, secretHeaders: [], body: null });
  conversation.send(Buffer.from(request.head, 'latin1'));
  const { statusCode, headers: theirs } = await takeHead(conversation);
  onStatus(statusCode);
  if (statusCode !== SWITCHING_PROTOCOLS) {
    throw new ProbeFault('unexpected_status', `Unexpected status ${statusCode} (expected ${SWITCHING_PROTOCOLS}).`);
  }
  const accept = createHash('sha1')
    .update(key + GUID)
    .digest('base64');
  if (theirs['sec-websocket-accept']?.[0] !== accept) {
    throw new ProbeFault('protocol_error', 'The server did not confirm the change to WebSocket.');
  }
  if (subprotocol !== null && theirs['sec-websocket-protocol']?.[0] !== subprotocol) {
    throw new ProbeFault('unexpected_response', 'The server did not select the subprotocol.');
  }
}
