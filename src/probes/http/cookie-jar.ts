interface Cookie {
  name: string;
  value: string;
  /** Without a leading dot. */
  domain: string;
  /** Whether it is sent only to exactly this host. */
  isHostOnly: boolean;
  path: string;
  isSecure: boolean;
}

const MAX_COOKIES = 50;
const MAX_COOKIE_LENGTH = 4_096;
/** RFC 6265, section 4.1.1, without control characters, which a request must not contain. */
const PAIR = /^([^=;\s\p{Cc}]+)=([^;\p{Cc}]*)/u;

/** The cookies of one check (RFC 6265), which it sends with its later requests. Expired ones are dropped. */
export class CookieJar {
  private readonly cookies = new Map<string, Cookie>();

  /** Returns the value of the `Cookie` header for a request; `null` without cookies. */
  headerFor(url: URL): string | null {
    if (this.cookies.size === 0) return null;
    const { hostname, pathname, protocol } = url;
    const sent = [...this.cookies.values()].filter(({ domain, isHostOnly, path, isSecure }) => {
      const isHost = hostname === domain || (!isHostOnly && hostname.endsWith(`.${domain}`));
      const isPath = pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`);
      return isHost && isPath && (!isSecure || protocol === 'https:');
    });
    return sent.length === 0 ? null : sent.map(({ name, value }) => `${name}=${value}`).join('; ');
  }

  /** Keeps the cookies that a response sets. */
  take(url: URL, headers: readonly string[] = []): void {
    for (const header of headers) {
      const cookie = header.length > MAX_COOKIE_LENGTH ? null : cookieOf(url, header);
      if (cookie === null) continue;
      const key = `${cookie.name};${cookie.domain};${cookie.path}`;
      this.cookies.delete(key);
      if (cookie.isExpired || this.cookies.size >= MAX_COOKIES) continue;
      this.cookies.set(key, cookie);
    }
  }
}

function cookieOf(url: URL, header: string): (Cookie & { isExpired: boolean }) | null {
  const [, name, value] = PAIR.exec(header) ?? [];
  if (name === undefined) return null;
  const attributes = new Map(
    header
      .split(';')
      .slice(1)
      .map((part): [string, string] => {
        const [attribute = '', ...rest] = part.split('=');
        return [attribute.trim().toLowerCase(), rest.join('=').trim()];
      }),
  );
  const asked = attributes.get('domain')?.replace(/^\./, '').toLowerCase() ?? '';
  // A host may set cookies only for itself and for the domain above it, but not for a top-level domain.
  const isAllowed = url.hostname === asked || (url.hostname.endsWith(`.${asked}`) && asked.includes('.'));
  if (asked !== '' && !isAllowed) return null;
  const path = attributes.get('path') ?? '';
  const [maxAge, expires] = [attributes.get('max-age'), attributes.get('expires')];
  return {
    name,
    value: value!.trim(),
    domain: asked === '' ? url.hostname : asked,
    isHostOnly: asked === '',
    path: path.startsWith('/') ? path : url.pathname.replace(/\/[^/]*$/, '') || '/',
    isSecure: attributes.has('secure'),
    isExpired: maxAge !== undefined ? Number(maxAge) <= 0 : expires !== undefined && Date.parse(expires) <= Date.now(),
  };
}
