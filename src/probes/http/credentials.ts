import { type HttpAuth } from './http-auth.dto.js';

const SAYS_SO =
  /token|secret|passw|passphrase|passcode|api[-_]?key|auth|credential|jwt|session|signature|bearer|cookie|(?:^|[-_])(?:key|pass|pwd|pin|otp|sig|access|sid|cred)(?:$|[-_])/i;

/**
 * Returns whether a header is masked in responses and not sent to other origins: its name suggests a credential, or is
 * one of `marked`, in any case.
 */
export function isSecretHeader(name: string, marked: readonly string[]): boolean {
  return SAYS_SO.test(name) || marked.some((one) => one.toLowerCase() === name.toLowerCase());
}

/** Returns the value of the `Authorization` header, or `null`. `token`: what was issued for client credentials. */
export function authorizationOf(auth: HttpAuth | null | undefined, token: string | null): string | null {
  if (!auth) return null;
  if ('tokenUrl' in auth) return `Bearer ${token}`;
  if ('token' in auth) return `Bearer ${auth.token}`;
  return basicAuthorization(auth.username, auth.password);
}

/** Returns the value of a header with credentials of HTTP Basic authentication (RFC 7617). */
export function basicAuthorization(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}
