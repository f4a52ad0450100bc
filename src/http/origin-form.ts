import { type IncomingMessage, type Server } from 'node:http';

const ORIGIN = /^https?:\/\/([^/?#]*)/i;

/**
 * Gives requests in absolute form (`GET http://host/path`) the usual form, with the host of their target, which takes
 * precedence over the `Host` header (RFC 9112, 3.2.2). Express would parse such a target as a URL, which fails if its
 * port is invalid.
 */
export function useOriginForm(server: Server): void {
  server.prependListener('request', (request: IncomingMessage) => {
    const { url = '' } = request;
    const [origin, host] = ORIGIN.exec(url) ?? [];
    if (origin === undefined) return;
    const target = url.slice(origin.length);
    request.url = target.startsWith('/') ? target : `/${target}`;
    request.headers.host = host;
  });
}
