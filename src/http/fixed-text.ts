import { type Request, type RequestHandler, type Response } from 'express';
import { createHash } from 'node:crypto';
import { type Coding, codingFor, encoded } from './content-coding.js';
import { namesTag } from './items/entity-tags.js';

/**
 * Serves a text, encoded as UTF-8, that never changes while the service runs, with an `ETag`. Compresses it once per coding, on demand.
 */
export function fixedText(type: string, bytes: Buffer): RequestHandler {
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  const bodies = new Map<Coding, Promise<Buffer>>();

  const body = (coding: Coding): Promise<Buffer> => {
    let known = bodies.get(coding);
    if (!known) bodies.set(coding, (known = encoded(bytes, coding)));
    return known;
  };
  const answer = async (request: Request, response: Response): Promise<void> => {
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
