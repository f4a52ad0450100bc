import { createHmac } from 'node:crypto';
import { ProblemException } from '../problems/problem.js';

/** Printable ASCII: beyond it, nobody can tell which characters the bytes of a header are. */
const KEY = /^[\x20-\x7e]{1,255}$/;

/** The key among the values that the `Idempotency-Key` header was sent with, `null` where it was not. @throws 400 */
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

/** What tells one request from another. */
export interface FingerprintedRequest {
  method: string;
  /** Path and query as sent. */
  originalUrl: string;
  /** Parsed JSON; absent where the request has no body. */
  body?: unknown;
}

/**
 * A name for a request that reveals nothing of its body: equal for equal requests, whatever the space in their JSON.
 * In a path, `self` names another resource for each API key: the id of the caller's stands in its place.
 */
export function fingerprintOf(secret: Buffer, request: FingerprintedRequest, keyId: string): Buffer {
  const [path = '', query = ''] = request.originalUrl.split(/\?(.*)/s);
  // The router takes paths in any case.
  const steps = path.split('/').map((step) => (step.toLowerCase() === 'self' ? keyId : step));
  const parts = [request.method, steps, query, ...(request.body === undefined ? [] : [request.body])];
  return createHmac('sha256', secret).update(JSON.stringify(parts)).digest();
}
