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

/** Swagger UI writes a style element into its page and draws with data: images; its scripts are files. */
const DOCS_POLICY = { ...POLICY, styleSrc: ["'self'", "'unsafe-inline'"], imgSrc: ["'self'", 'data:'] };

/** Security headers for every answer, with a strict content policy that is widened for `/docs` alone. */
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

/** Asked of helmet once: it would put them together anew for each answer. */
function headersWith(directives: Record<string, string[]>, publicUrl?: string): Headers {
  const apply = helmet({
    contentSecurityPolicy: { useDefaults: false, directives },
    // As `frame-ancestors` says to browsers that know it.
    xFrameOptions: { action: 'deny' },
    // Only where the operator says that the service is reached by https, and for its own name alone.
    strictTransportSecurity: publicUrl?.startsWith('https:') ? { includeSubDomains: false } : false,
  });
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  apply(request, response, (error) => {
    if (error) throw error as Error;
  });
  return Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]);
}
