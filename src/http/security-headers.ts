import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';

type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
type Headers = readonly (readonly [name: string, value: string])[];

const POLICY = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'"],
  fontSrc: ["'self'"],
  connectSrc: ["'self'"],
  formAction: ["'self'"],
  baseUri: ["'none'"],
  frameAncestors: ["'none'"],
};

/** Swagger UI inserts a style element into its page and uses data: images; its scripts are files. */
const DOCS_POLICY = { ...POLICY, styleSrc: ["'self'", "'unsafe-inline'"], imgSrc: ["'self'", 'data:'] };

/** Sets security headers on every response, with a strict content security policy that is relaxed for `/docs` only. */
export function securityHeaders(publicUrl?: string): Middleware {
  const strict = headersWith(POLICY, publicUrl);
  const docs = headersWith(DOCS_POLICY, publicUrl);
  return (request, response, next) => {
    for (const [name, value] of isDocs(request.url ?? '') ? docs : strict) response.setHeader(name, value);
    next();
  };
}

function isDocs(url: string): boolean {
  return /^\/docs(\/|\?|$)/i.test(url);
}

/** Computes the headers once, because helmet would build them for each response. */
function headersWith(directives: Record<string, string[]>, publicUrl?: string): Headers {
  const apply = helmet({
    contentSecurityPolicy: { useDefaults: false, directives },
    // The equivalent of `frame-ancestors` for older browsers.
    xFrameOptions: { action: 'deny' },
    // Only if the operator states that the service is reached over HTTPS, and only for its own name.
    strictTransportSecurity: publicUrl?.startsWith('https:') ? { includeSubDomains: false } : false,
  });
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  apply(request, response, (error) => {
    if (error) throw error as Error;
  });
  return Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]);
}
