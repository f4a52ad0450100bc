import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { MAX_BODY_BYTES } from '../net/body-buffer.js';
import { type HttpReply } from './exchange.js';

/**
 * Returns the text of a body for assertions. Compressed bodies, which checks do not request, are decompressed up to 1
 * MiB, so that a decompression bomb costs no more than any other page. If decompression or decoding fails, the text up
 * to that point counts.
 */
export async function bodyText(reply: HttpReply): Promise<string> {
  const bytes = await unpack(reply.body, reply.headers['content-encoding']?.join(', ').trim().toLowerCase());
  return decoderFor(reply.headers['content-type']?.[0]).decode(bytes);
}

async function unpack(body: Buffer, coding: string | undefined): Promise<Buffer> {
  const stream = unpackerOf(coding);
  if (!stream) return body;
  const chunks: Buffer[] = [];
  let size = 0;
  stream.end(body);
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      chunks.push(chunk.subarray(0, MAX_BODY_BYTES - size));
      size += chunk.length;
      if (size >= MAX_BODY_BYTES) break; // Leaving the loop destroys the stream.
    }
  } catch {
    // The body was truncated at 1 MiB or is corrupt: the output so far counts.
  }
  return Buffer.concat(chunks);
}

/** Returns a decompressor. Its flush mode makes it output the content of a truncated stream instead of only failing. */
function unpackerOf(coding = '') {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip({ finishFlush: constants.Z_SYNC_FLUSH });
    case 'deflate':
      return createInflate({ finishFlush: constants.Z_SYNC_FLUSH });
    case 'br':
      return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH });
    default:
      return null;
  }
}

function decoderFor(contentType: string | undefined): TextDecoder {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType ?? '')?.[1];
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder(); // An unknown charset is treated as UTF-8, like a missing one.
  }
}
