import compression from 'compression';
import { type RequestHandler } from 'express';
import { constants } from 'node:zlib';

/** Below this size, compression saves less than its headers add. */
const THRESHOLD_BYTES = 1_024;
/** Also the default of the library. Higher levels cost several times as much. */
const BROTLI_QUALITY = 4;

/**
 * Compresses responses of the API for callers that accept it, and passes on all other requests: pages and documents are
 * cached in compressed form, and event streams must not be buffered.
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
