import { type IncomingMessage, type ServerResponse } from 'node:http';
import helmet from 'helmet';

type Middleware = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;

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
  const strict = withPolicy(POLICY, publicUrl);
  const docs = withPolicy(DOCS_POLICY, publicUrl);
  return (request, response, next) => (isDocs(request.url ?? '') ? docs : strict)(request, response, next);
}

function isDocs(url: string): boolean {
  return /^\/docs(\/|\?|$)/i.test(url);
}

function withPolicy(directives: Record<string, string[]>, publicUrl?: string): Middleware {
  return helmet({
    contentSecurityPolicy: { useDefaults: false, directives },
    // Only where the operator says that the service is reached by https, and for its own name alone.
    strictTransportSecurity: publicUrl?.startsWith('https:') ? { includeSubDomains: false } : false,
  });
}
