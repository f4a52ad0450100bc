import { type Request, type RequestHandler, type Response } from 'express';
import { createHash } from 'node:crypto';
import { type Coding, codingFor, encoded } from './content-coding.js';
import { namesTag } from './items/entity-tags.js';

/**
 * Serves a text, encoded as UTF-8, that never changes while the service runs, with an `ETag`. Reads it on
 * demand, for the tag and once per coding, in which it then keeps it.
 */
export function fixedText(type: string, read: () => string): RequestHandler {
  let etag: string | null = null;
  const bodies = new Map<Coding, Promise<Buffer>>();

  const body = (coding: Coding): Promise<Buffer> => {
    let known = bodies.get(coding);
    if (!known) bodies.set(coding, (known = encoded(Buffer.from(read()), coding)));
    return known;
  };
  const answer = async (request: Request, response: Response): Promise<void> => {
    etag ??= `"${createHash('sha256').update(read()).digest('base64url').slice(0, 22)}"`;
    response.vary('Accept-Encoding').set({ ETag: etag, 'Cache-Control': 'no-cache' });
    if (namesTag(request.headers['if-none-match'] ?? '', etag)) {
      response.status(304).end();
      return;
    }
    const coding = codingFor(request);
    if (coding !== 'identity') response.set('Content-Encoding', coding);
    response.type(`${type}; charset=utf-8`).send(await body(coding));
  };
  return (request, response, next) => void answer(request, response).catch(next);
}
