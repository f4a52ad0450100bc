import { ProbeFault } from '../../probes/net/probe-fault.js';
import { type ChannelContext, type Delivery } from '../channel.js';
import { cut, oneLine } from '../plain-text.js';
import { type Answer, type Outgoing, request } from './http-client.js';

/** How a provider's answers differ from what their status codes say. */
export interface AnswerReader {
  /** Returns the provider's id of what it accepted. */
  id?(answer: Answer): string | null;
  /** Returns the provider's explanation of a refusal, a short text. */
  explanation?(answer: Answer): string | null;
  /** Returns how long the provider asks to wait where it does not use `Retry-After`. */
  retryAfterMs?(answer: Answer): number | null;
  /** Returns whether an answer with a status of 2xx reports success nevertheless; by default it does. */
  accepts?(answer: Answer): boolean;
  /**
   * Returns whether a retry of a refused message cannot succeed. By default, this follows from the status code; null
   * leaves it at that.
   */
  isPermanent?(answer: Answer): boolean | null;
  /** Returns what to report where there is no answer; null leaves it at the fault and the operator's setting. */
  unreached?(fault: ProbeFault): string | null;
}

/** Statuses below 500 that say nothing about the request itself. */
const PASSING = new Set([408, 421, 423, 425, 429]);
const MAX_EXPLANATION = 160;

/**
 * Sends one request and returns what became of it. Never rejects because of the receiver. A status of 2xx is success;
 * 408, 421, 423, 425, 429 and 5xx pass; any other one is permanent, including redirects, which are not followed.
 */
export async function post(outgoing: Outgoing, context: ChannelContext, reader: AnswerReader = {}): Promise<Delivery> {
  let answer: Answer;
  try {
    answer = await request(outgoing, context);
  } catch (error) {
    if (error instanceof ProbeFault) return unreached(error, reader.unreached?.(error) ?? null);
    throw error;
  }
  return judge(answer, reader);
}

function judge(answer: Answer, reader: AnswerReader): Delivery {
  const { statusCode } = answer;
  const isSuccess = statusCode >= 200 && statusCode < 300;
  if (isSuccess && (reader.accepts?.(answer) ?? true)) {
    return { status: 'sent', providerId: reader.id?.(answer) ?? null, statusCode };
  }
  const wait = answer.retryAfterMs ?? reader.retryAfterMs?.(answer) ?? null;
  const passes = statusCode >= 500 || PASSING.has(statusCode);
  return {
    status: 'failed',
    permanent: reader.isPermanent?.(answer) ?? !passes,
    retryAfterMs: wait,
    statusCode,
    error: refusal(answer, reader.explanation?.(answer) ?? null, isSuccess),
  };
}

function refusal({ statusCode }: Answer, explanation: string | null, isSuccess: boolean): string {
  const why = explanation === null ? '' : cut(oneLine(explanation), MAX_EXPLANATION);
  const stated = why === '' ? '.' : `: ${why}${/[.!?…]$/.test(why) ? '' : '.'}`;
  if (statusCode === 429) return `The receiver rejected the message because of its rate limit (status 429)${stated}`;
  if (statusCode >= 300 && statusCode < 400)
    return `The receiver redirects to another address (status ${statusCode}), which is not followed${stated}`;
  if (statusCode >= 500) return `The receiver reported a server error (status ${statusCode})${stated}`;
  return `The receiver refused the message${isSuccess ? '' : ` (status ${statusCode})`}${stated}`;
}

/** Returns the delivery that follows from having no answer. Only an address that is not allowed stays so. */
function unreached({ code, message }: ProbeFault, stated: string | null): Delivery {
  const blocked = code === 'address_blocked';
  const error = blocked
    ? 'The address of the receiver is blocked. Operators can allow private addresses with ALLOW_PRIVATE_CHANNELS.'
    : message;
  return { status: 'failed', permanent: blocked, retryAfterMs: null, statusCode: null, error: stated ?? error };
}
