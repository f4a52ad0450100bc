import { createHmac } from 'node:crypto';
import { ProblemException } from '../problems/problem.js';

/** Printable ASCII, because the encoding of other bytes in a header is unknown. */
const KEY = /^[\x20-\x7e]{1,255}$/;

/** Returns the key from the values of the `Idempotency-Key` header, `null` if it was not sent. @throws 400 */
export function readIdempotencyKey(values: readonly string[] | undefined): string | null {
  if (values === undefined) return null;
  const [key = ''] = values;
  if (values.length === 1 && KEY.test(key)) return key;
  throw new ProblemException(
    400,
    'invalid_request',
    'Send one Idempotency-Key of 1 to 255 printable ASCII characters.',
  );
}

/** The parts that distinguish one request from another. */
export interface FingerprintedRequest {
  method: string;
  /** Path and query as sent. */
  originalUrl: string;
  /** Parsed JSON; absent if the request has no body. */
  body?: unknown;
}

/**
 * Returns a fingerprint of a request that reveals nothing about its body. It is equal for equal requests, whatever the
 * whitespace in their JSON. In a path, `self` identifies another resource for each API key, so it is replaced with the
 * id of the caller's key.
 */
export function fingerprintOf(secret: Buffer, request: FingerprintedRequest, keyId: string): Buffer {
  const [path = '', query = ''] = request.originalUrl.split(/\?(.*)/s);
  // The router matches paths case-insensitively.
  const steps = path.split('/').map((step) => (step.toLowerCase() === 'self' ? keyId : step));
  const parts = [request.method, steps, query, ...(request.body === undefined ? [] : [request.body])];
  return createHmac('sha256', secret).update(JSON.stringify(parts)).digest();
}
