import { type Request } from 'express';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { promisify } from 'node:util';

/** The supported content codings (RFC 9110 section 8.4.1), best first. */
const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number] | 'identity';

/** Higher levels save a few percent and cost several times as much. */
const BROTLI_QUALITY = 5;

const compressors = { br: promisify(brotliCompress), gzip: promisify(gzip) };

/** Returns the best coding that the caller accepts, `identity` if it states none. */
export function codingFor(request: Pick<Request, 'acceptsEncodings'>): Coding {
  return CODINGS.find((coding) => request.acceptsEncodings(coding)) ?? 'identity';
}

/** Compresses a text on a separate thread. */
export function encoded(body: Buffer, coding: Coding): Promise<Buffer> {
  if (coding === 'identity') return Promise.resolve(body);
  if (coding === 'gzip') return compressors.gzip(body);
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: body.length };
  return compressors.br(body, { params });
}
