/**
 * `unanswered`: nothing is posted until the address has answered a challenge; `ended`: nothing is posted any more, until
 * it answers another one.
 */
export const WEBHOOK_STATUSES = ['unanswered', 'active', 'ended'] as const;
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];
