import { type PageRequest } from '../page-frame.js';
import { type SessionCookie } from '../../people/session-cookie.service.js';
import { type Browser } from '../../people/signed-in.types.js';

/** Returns the properties of a browser that is about to sign in. */
export function browserOf({ ip, headers }: PageRequest, cookie: SessionCookie): Browser {
  return { address: ip ?? '', userAgent: headers['user-agent'], token: cookie.read(headers.cookie) };
}
