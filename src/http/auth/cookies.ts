import { parseCookie, stringifySetCookie } from 'cookie';

export interface CookieOptions {
  /** Lifetime of the cookie. If omitted, it lasts until the browser is closed; 0 deletes it. */
  maxAgeSeconds?: number;
  /** Hides the cookie from scripts. */
  httpOnly: boolean;
  /** Sends the cookie over HTTPS only. */
  secure: boolean;
}

/** Returns the value of a cookie in a `Cookie` header; null if the header does not contain it. */
export function cookieOf(header: string | undefined, name: string): string | null {
  return parseCookie(header ?? '')[name] ?? null;
}

/** Returns a `Set-Cookie` header for this origin, with `SameSite=Lax`. `value` must not contain special characters. */
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
