import compression from 'compression';
import { type RequestHandler } from 'express';
import { constants } from 'node:zlib';

/** Below this, what is saved is less than the headers. */
const THRESHOLD_BYTES = 1_024;
/** That of the library, too; higher ones cost a multiple. */
const BROTLI_QUALITY = 4;

/**
 * Compresses answers of the API for callers that take it; the others pass by. Pages and documents are kept in a compressed
 * form, and events must not wait for more of them.
 */
export function compressed(): RequestHandler {
  const compress = compression({
    threshold: THRESHOLD_BYTES,
    brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } },
  });
  return (request, response, next) => {
    if (request.headers['accept-encoding'] === undefined || !request.url.startsWith('/v1/')) return next();
    compress(request, response, next);
  };
}
