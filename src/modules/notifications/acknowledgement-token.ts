import { type SecretBox } from '../../database/secret-box.js';
import { idOfToken, signedToken } from '../../http/auth/signed-link.js';

const PURPOSE = 'acknowledgement';

/** Returns the token of the link in a message: the id of its notification, signed. 43 characters. */
export function acknowledgementToken(box: SecretBox, notificationId: string): string {
  return signedToken(box, PURPOSE, notificationId);
}

/** Returns the id of the notification that a token names; null if this service did not sign it. */
export function notificationOfToken(box: SecretBox, token: string): string | null {
  return idOfToken(box, PURPOSE, token);
}
