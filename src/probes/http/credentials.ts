import { type HttpAuth } from './http-auth.dto.js';

const SAYS_SO =
  /token|secret|passw|passphrase|passcode|api[-_]?key|auth|credential|jwt|session|signature|bearer|cookie|(?:^|[-_])(?:key|pass|pwd|pin|otp|sig|access|sid|cred)(?:$|[-_])/i;

/**
 * Returns whether a header's name suggests a credential, which is masked in responses and not sent to other origins.
 */
export function isCredentialHeader(name: string): boolean {
  return SAYS_SO.test(name);
}

/** Returns the value of the `Authorization` header, or `null`. */
export function authorizationOf(auth: HttpAuth | null | undefined): string | null {
  if (!auth) return null;
  if ('token' in auth) return `Bearer ${auth.token}`;
  return `Basic ${Buffer.from(`${auth.username}:${auth.password}`).toString('base64')}`;
}
