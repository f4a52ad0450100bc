import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { MAX_BODY_BYTES } from './body-buffer.js';
import { type HttpReply } from './exchange.js';

/**
 * The text of a body, to judge it by. Compressed bodies, which we do not ask for, are unpacked up to 1 MiB of text, so
 * that a bomb costs no more than any other page. What cannot be unpacked or decoded to its end counts up to there.
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
    // Cut at 1 MiB, or damaged: what came out until here is judged.
  }
  return Buffer.concat(chunks);
}

/** The flush modes give out what a cut stream holds, instead of an error alone. */
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
    return new TextDecoder(); // An unknown charset: UTF-8, as for none.
  }
}
