import { Webhook } from 'standardwebhooks';
import { type NotificationChannelDto } from '../../src/modules/notification-channels/dto/notification-channel.dto.js';
import { type Client } from './client.js';
import { type Received } from './receiver.js';

export const CHANNELS = '/v1/notification-channels';

/** Creates or replaces a channel that posts to an address at which nothing listens, unless told otherwise. */
export async function putChannel(api: Client, key: string, changes: object = {}): Promise<NotificationChannelDto> {
  const channel = { name: key, type: 'webhook', settings: { url: 'http://127.0.0.1:9/' }, ...changes };
  const { status, body } = await api.put<NotificationChannelDto>(`${CHANNELS}/key:${key}`, channel);
  if (status !== 200 && status !== 201) throw new Error(`The channel was not stored: ${JSON.stringify(body)}`);
  return body;
}

/** Returns whether the request was signed with the secret. */
export function isSignedBy(secret: string, { text, headers }: Received): boolean {
  try {
    new Webhook(secret).verify(text, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}
