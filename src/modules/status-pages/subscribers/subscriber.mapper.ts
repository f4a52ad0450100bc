import { type SubscriberDto } from './dto/subscriber.dto.js';
import { type Subscriber } from './subscriber.entity.js';
import { type OpenedWebhook } from './webhooks/subscriber-webhooks.service.js';
import { maskedAddress } from './webhooks/webhook-address.js';

/** Returns a subscriber as administrators see it: without what of the address of the webhook may be a credential. */
export function toSubscriberDto(row: Subscriber, opened?: OpenedWebhook): SubscriberDto {
  const { id, statusPageId, email, status, statusReason, componentIds, consentSource, confirmedAt, createdAt } = row;
  const times = { confirmedAt: confirmedAt?.toISOString() ?? null, createdAt: createdAt.toISOString() };
  const webhook = opened ? { url: maskedAddress(opened.url), status: opened.status, error: opened.error } : null;
  const type = opened ? 'webhook' : 'email';
  return { id, statusPageId, email, type, webhook, status, statusReason, componentIds, consentSource, ...times };
}
