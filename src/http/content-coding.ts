import { type Request } from 'express';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { promisify } from 'node:util';

/** How a body is compressed on its way (RFC 9110 section 8.4.1), the best first. */
const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number] | 'identity';

/** Higher ones gain a few percent and cost a multiple. */
const BROTLI_QUALITY = 5;

const compressors = { br: promisify(brotliCompress), gzip: promisify(gzip) };

/** The best coding that the caller takes; none where it says nothing. */
export function codingFor(request: Pick<Request, 'acceptsEncodings'>): Coding {
  return CODINGS.find((coding) => request.acceptsEncodings(coding)) ?? 'identity';
}

/** Compresses a text on a thread of its own. */
export function encoded(body: Buffer, coding: Coding): Promise<Buffer> {
  if (coding === 'identity') return Promise.resolve(body);
  if (coding === 'gzip') return compressors.gzip(body);
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: body.length };
  return compressors.br(body, { params });
}
