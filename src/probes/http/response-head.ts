import { type Conversation } from '../net/conversation.js';
import { ProbeFault } from '../net/probe-fault.js';
import { MAX_HEAD_BYTES, parseHead, type ResponseHead } from './response-parser.js';

const HEAD_END = '\r\n\r\n';

/** Takes the head of a response after which the connection is used for something else. @throws ProbeFault */
export async function takeHead(conversation: Conversation): Promise<ResponseHead> {
  const head = await conversation.take((unread) => {
    const end = unread.indexOf(HEAD_END);
    if (unread.length > MAX_HEAD_BYTES && end < 0) {
      throw new ProbeFault('response_too_large', 'The headers of the response are larger than 64 KiB.');
    }
    return end < 0 ? null : end + HEAD_END.length;
  });
  return parseHead(head.toString('latin1', 0, head.length - HEAD_END.length));
}
