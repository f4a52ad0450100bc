import { Deadline } from '../probes/deadline.js';
import { parseUrl } from '../probes/net/parse-url.js';
import { errorCode } from '../probes/net/probe-fault.js';
import { type ChannelContext, type ChannelDefinition, type Delivery, SEND_TIMEOUT_MS } from './channel.js';
import { type Message } from './message.js';
import { cut, oneLine } from './plain-text.js';

const MAX_ERROR = 300;
/** Time after the deadline in which a channel closes what it opened. */
const ALLOWANCE_MS = 2_000;
/** A shorter part of an address is not a credential, and removing it would make errors unreadable. */
const MIN_SECRET_PART = 12;

export type DeliveryMeans = Omit<ChannelContext, 'deadline'> & { timeoutMs?: number };

/**
 * Makes one attempt to send a message through a channel, within 10 s. Never rejects: a fault of this service is a failed
 * delivery that can be retried. The error never contains a secret of the channel, not even if the receiver quotes it.
 */
export async function deliver<F extends object>(
  channel: ChannelDefinition<F>,
  message: Message,
  fields: F,
  { timeoutMs, ...means }: DeliveryMeans,
): Promise<Delivery> {
  const delivery = await attempt((deadline) => channel.send(message, fields, { ...means, deadline }), timeoutMs);
  if (delivery.status === 'sent') return delivery;
  return { ...delivery, error: cut(withoutSecrets(oneLine(delivery.error), channel, fields), MAX_ERROR) };
}

/**
 * Makes one attempt to send something, and ends its deadline after 10 s. Never rejects: a fault of this service is a
 * failed delivery that can be retried.
 */
export async function attempt(
  send: (deadline: Deadline) => Promise<Delivery>,
  timeoutMs = SEND_TIMEOUT_MS,
): Promise<Delivery> {
  const deadline = new Deadline();
  let timer: NodeJS.Timeout;
  const stuck = new Promise<Delivery>((resolve) => {
    timer = setTimeout(() => {
      timer = setTimeout(() => resolve(failed('The message was not sent within the time limit.')), ALLOWANCE_MS);
      deadline.end();
    }, timeoutMs);
  });
  try {
    return await Promise.race([send(deadline), stuck]);
  } catch (error) {
    const code = errorCode(error);
    return failed(`The message could not be sent${code === '' ? '' : ` (${code})`}.`);
  } finally {
    clearTimeout(timer!);
    deadline.end();
  }
}

function failed(error: string): Delivery {
  return { status: 'failed', permanent: false, retryAfterMs: null, statusCode: null, error };
}

/** Returns the text with each secret replaced, and each part of a secret address. */
function withoutSecrets<F extends object>(text: string, channel: ChannelDefinition<F>, fields: F): string {
  const secrets = channel.secretPaths(fields).flatMap((path) => {
    const secret = path.reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], fields);
    return typeof secret === 'string' && secret !== '' ? [secret, encodeURIComponent(secret), ...partsOf(secret)] : [];
  });
  return secrets.sort((a, b) => b.length - a.length).reduce((shown, one) => shown.replaceAll(one, '********'), text);
}

/** Returns the parts of the path and the query of a URL that may be credentials. */
function partsOf(secret: string): string[] {
  const url = /^https?:/i.test(secret) ? parseUrl(secret) : null;
  if (url === null) return [];
  const parts = [...url.pathname.split('/'), ...url.searchParams.values()];
  return parts.filter((part) => part.length >= MIN_SECRET_PART);
}
