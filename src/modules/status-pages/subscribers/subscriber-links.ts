import { type SecretBox } from '../../../database/secret-box.js';
import { idOfToken, signedToken } from '../../../http/auth/signed-link.js';

const PURPOSE = 'subscription';

/** The links that the mails to a subscriber contain. They do not depend on the page, which may be renamed. */
export interface SubscriberLinks {
  /** Opens the page on which one confirms, chooses components, or leaves. */
  preferences: string;
  /** Opens the page on which one leaves; a POST to it unsubscribes at once (RFC 8058). */
  unsubscribe: string;
}

/** Below the path of pages, because a proxy may expose nothing else; `_` is not a slug. */
export const SUBSCRIPTIONS_PATH = '/status/_/subscriptions';

/** The paths of the forms of a subscriber. */
export interface SubscriptionPaths {
  preferences: string;
  unsubscribe: string;
  webhook: string;
  challenge: string;
  removeWebhook: string;
}

/** Returns the paths of the subscriber whose links contain a token. */
export function pathsOf(token: string): SubscriptionPaths {
  const base = `${SUBSCRIPTIONS_PATH}/${token}`;
  const webhook = `${base}/webhook`;
  return {
    preferences: `${base}/preferences`,
    unsubscribe: `${base}/unsubscribe`,
    webhook,
    challenge: `${webhook}/challenge`,
    removeWebhook: `${webhook}/remove`,
  };
}

/** Returns the links of a subscriber. `origin` is that of the application. */
export function linksOf(box: SecretBox, origin: string, subscriberId: string): SubscriberLinks {
  const base = `${origin}${SUBSCRIPTIONS_PATH}/${signedToken(box, PURPOSE, subscriberId)}`;
  return { preferences: `${base}/preferences`, unsubscribe: `${base}/unsubscribe` };
}

/** Returns the id of the subscriber whose link contains a token; null if this service did not create it. */
export function subscriberOfToken(box: SecretBox, token: string): string | null {
  return idOfToken(box, PURPOSE, token);
}

/** Returns the headers of mails to subscribers. */
export function mailHeaders({ unsubscribe }: SubscriberLinks): Record<string, string> {
  return {
    // Keeps absence notices from being sent in reply (RFC 3834).
    'Auto-Submitted': 'auto-generated',
    'List-Unsubscribe': `<${unsubscribe}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
}
