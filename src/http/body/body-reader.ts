import { type IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { nestsDeeperThan } from './json.js';
import { ProblemException } from '../problems/problem.js';

const JSON_TYPE = 'application/json';
const MERGE_PATCH_TYPE = 'application/merge-patch+json';
export const MAX_JSON_DEPTH = 32;

/**
 * Returns the parsed JSON body of a request, `undefined` if it is empty (whatever its media type). Throws 415 for
 * another media type, charset or encoding, 413 beyond `limitBytes` (after decompression, so that memory use is
 * bounded), and 400 for invalid UTF-8 or JSON, or nesting deeper than 32.
 */
export async function readJsonBody(request: IncomingMessage, limitBytes: number): Promise<unknown> {
  const bytes = await readBytes(request, limitBytes, () => assertJson(request));
  return bytes.length === 0 ? undefined : parseJson(bytes);
}

/**
 * Returns the bytes of a body, with gzip decompressed. `assertType` may throw; it is called once the body is known not
 * to be empty, before its size is checked. Throws 415 for an encoding other than gzip, 413 beyond `limitBytes`, and 400
 * if the body ends prematurely. The rest of a rejected body is discarded as it arrives.
 */
export async function readBytes(request: IncomingMessage, limitBytes: number, assertType: () => void): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of unpacked(request, nonEmpty(request, limitBytes, assertType))) {
      size += chunk.length;
      if (size > limitBytes) throw tooLarge(limitBytes);
      chunks.push(chunk);
    }
  } catch (cause) {
    request.resume();
    if (cause instanceof ProblemException) throw cause;
    throw new ProblemException(400, 'invalid_request', 'The body is incomplete or is not valid gzip.', { cause });
  }
  return Buffer.concat(chunks);
}

async function* nonEmpty(request: IncomingMessage, limitBytes: number, assertType: () => void): AsyncGenerator<Buffer> {
  const assertAcceptable = () => {
    assertType();
    assertEncoding(request);
    if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes);
  };
  // A declared length is checked before the first byte, so that a client that sends slowly or waits for `100 Continue`
  // gets its response at once.
  if (Number(request.headers['content-length'] ?? 0) > 0) assertAcceptable();
  let first = true;
  // Leaving the loop must not destroy the request, because the response uses the same socket.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    if (first) assertAcceptable();
    first = false;
    yield chunk as Buffer;
  }
}

async function* unpacked(request: IncomingMessage, chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  if (encodingOf(request) !== 'gzip') {
    yield* chunks;
    return;
  }
  const first = await chunks.next();
  // An empty body is no body, and not invalid gzip either.
  if (first.done) return;
  const all = async function* (): AsyncGenerator<Buffer> {
    yield first.value;
    yield* chunks;
  };
  // An error on either side ends both and reaches the reader as an error of the stream.
  yield* pipeline(all, createGunzip(), () => {}) as AsyncIterable<Buffer>;
}

function encodingOf(request: IncomingMessage): string {
  return (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
}

function assertEncoding(request: IncomingMessage): void {
  if (['identity', 'gzip'].includes(encodingOf(request))) return;
  const headers = { 'Accept-Encoding': 'gzip, identity' };
  throw new ProblemException(415, 'unsupported_media_type', 'Send the body uncompressed or compressed with gzip.', {
    headers,
  });
}

/** Throws 415 unless a request declares its body as JSON in UTF-8. */
export function assertJson(request: IncomingMessage): void {
  const accepted = request.method === 'PATCH' ? [JSON_TYPE, MERGE_PATCH_TYPE] : [JSON_TYPE];
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '').toLowerCase().split(';');
  const charset = parameters.map((one) => one.trim()).find((one) => one.startsWith('charset='));
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
  if (accepted.includes(type.trim()) && isUtf8) return;
  const headers = request.method === 'PATCH' ? { 'Accept-Patch': accepted.join(', ') } : undefined;
  throw new ProblemException(415, 'unsupported_media_type', `Send the body as ${accepted.join(' or ')} in UTF-8.`, {
    headers,
  });
}

/** Parses the bytes of a JSON body. Throws 400 for invalid UTF-8 or JSON, or nesting deeper than 32. */
export function parseJson(bytes: Buffer): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ProblemException(400, 'invalid_json', 'The body is not valid UTF-8.');
  }
  if (nestsDeeperThan(text, MAX_JSON_DEPTH)) {
    throw new ProblemException(400, 'json_too_deep', `The body is nested deeper than ${MAX_JSON_DEPTH} levels.`);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The message of the parser quotes the body, which may contain secrets.
    throw new ProblemException(400, 'invalid_json', 'The body is not valid JSON.');
  }
}

function tooLarge(limitBytes: number): ProblemException {
  return new ProblemException(413, 'payload_too_large', `The body must not exceed ${limitBytes} bytes.`);
}
