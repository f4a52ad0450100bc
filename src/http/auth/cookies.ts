import { parseCookie, stringifySetCookie } from 'cookie';

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
  return parseCookie(header ?? '')[name] ?? null;
}

/** A `Set-Cookie` header for this origin alone, left out of what other sites send. `value` has no special characters. */
export function setCookie(name: string, value: string, { maxAgeSeconds, httpOnly, secure }: CookieOptions): string {
  return stringifySetCookie({
    name,
    value,
    path: '/',
    sameSite: 'lax',
    httpOnly,
    secure,
    ...(maxAgeSeconds !== undefined && { maxAge: maxAgeSeconds }),
  });
}
