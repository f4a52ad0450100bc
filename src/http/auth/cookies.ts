export interface CookieOptions {
  /** Until the browser is closed where it is left out; 0 takes the cookie away. */
  maxAgeSeconds?: number;
  /** Scripts do not see it. */
  httpOnly: boolean;
  /** Sent over https alone. */
  secure: boolean;
}

/** The value of a cookie in a `Cookie` header; null where it is not among them. */
export function cookieOf(header: string | undefined, name: string): string | null {
  for (const pair of (header ?? '').split(';')) {
    const [key, value] = pair.split(/=(.*)/s);
    if (key?.trim() === name && value !== undefined) return value.trim();
  }
  return null;
}

/** A `Set-Cookie` header for this origin alone, left out of what other sites send. `value` has no special characters. */
export function setCookie(name: string, value: string, { maxAgeSeconds, httpOnly, secure }: CookieOptions): string {
  const parts = [`${name}=${value}`, 'Path=/', 'SameSite=Lax'];
  if (maxAgeSeconds !== undefined) parts.push(`Max-Age=${maxAgeSeconds}`);
  if (httpOnly) parts.push('HttpOnly');
  if (secure) parts.push('Secure');
  return parts.join('; ');
}
