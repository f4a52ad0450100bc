import compression from 'compression';
import { type RequestHandler, type Response } from 'express';
import { constants } from 'node:zlib';

/** Below this size, compression saves less than its headers add. */
const THRESHOLD_BYTES = 1_024;
/** Also the default of the library. Higher levels cost several times as much. */
const BROTLI_QUALITY = 4;

/**
 * Compresses responses of the API and pages of the application for callers that accept it. Public pages and documents
 * are cached in compressed form and pass unchanged, as do event streams, which forbid it (`no-transform`).
 */
export function compressed(): RequestHandler {
  const compress = compression({
    threshold: THRESHOLD_BYTES,
    brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } },
    filter: (request, response) =>
      request.url.startsWith('/v1/') ? compression.filter(request, response) : isPersonal(response),
  });
  return (request, response, next) => {
    if (request.headers['accept-encoding'] === undefined) return next();
    compress(request, response, next);
  };
}

/** Returns whether the response is a page for one person, which no cache may store. */
function isPersonal(response: Response): boolean {
  const isHtml = String(response.getHeader('Content-Type')).startsWith('text/html');
  return isHtml && response.getHeader('Cache-Control') === 'no-store';
}
