import { type HttpAuth } from './http-auth.dto.js';

const SAYS_SO =
  /token|secret|passw|passphrase|passcode|api[-_]?key|auth|credential|jwt|session|signature|bearer|cookie|(?:^|[-_])(?:key|pass|pwd|pin|otp|sig|access|sid|cred)(?:$|[-_])/i;

/** Whether a header's name says that its value is a credential: masked when read, kept from other origins. */
export function isCredentialHeader(name: string): boolean {
  return SAYS_SO.test(name);
}

/** The value of the `Authorization` header, if any. */
export function authorizationOf(auth: HttpAuth | null | undefined): string | null {
  if (!auth) return null;
  if ('token' in auth) return `Bearer ${auth.token}`;
  return `Basic ${Buffer.from(`${auth.username}:${auth.password}`).toString('base64')}`;
}
