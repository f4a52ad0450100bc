import { type Request, type RequestHandler, type Response } from 'express';
import { createHash } from 'node:crypto';
import { type Coding, codingFor, encoded } from './content-coding.js';
import { namesTag } from './entity-tags.js';

/**
 * Serves a text that stays the same while the service runs, with an `ETag`. It is made when it is first asked for, and
 * compressed once for each coding.
 */
export function fixedText(type: string, make: () => string): RequestHandler {
  let made: { bytes: Buffer; etag: string } | undefined;
  const bodies = new Map<Coding, Promise<Buffer>>();

  const body = (bytes: Buffer, coding: Coding): Promise<Buffer> => {
    let known = bodies.get(coding);
    if (!known) bodies.set(coding, (known = encoded(bytes, coding)));
    return known;
  };
  const answer = async (request: Request, response: Response): Promise<void> => {
    made ??= tagged(make());
    const { bytes, etag } = made;
    response.vary('Accept-Encoding').set({ ETag: etag, 'Cache-Control': 'no-cache' });
    if (namesTag(request.headers['if-none-match'] ?? '', etag)) {
      response.status(304).end();
      return;
    }
    const coding = codingFor(request);
    if (coding !== 'identity') response.set('Content-Encoding', coding);
    response.type(`${type}; charset=utf-8`).send(await body(bytes, coding));
  };
  return (request, response, next) => void answer(request, response).catch(next);
}

function tagged(text: string): { bytes: Buffer; etag: string } {
  const bytes = Buffer.from(text);
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` };
}
