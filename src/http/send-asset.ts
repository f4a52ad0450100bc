import { type Request, type Response } from 'express';
import { type Coding, codingFor, encoded } from './content-coding.js';
import { notFound } from './problems/problem.js';

interface Asset {
  type: string;
  body: string | Buffer;
}

/** Each file is encoded once per coding. */
const sent = new WeakMap<Asset, Map<Coding, Promise<Buffer>>>();

/** Sends a file whose URL changes with its content. @throws 404 if there is none */
export async function sendAsset(asset: Asset | undefined, request: Request, response: Response): Promise<void> {
  if (!asset) throw notFound();
  // Fonts are compressed already.
  const coding = asset.type === 'woff2' ? 'identity' : codingFor(request);
  const codings = sent.get(asset) ?? new Map<Coding, Promise<Buffer>>();
  sent.set(asset, codings);
  const bytes = codings.get(coding) ?? encoded(Buffer.from(asset.body), coding);
  codings.set(coding, bytes);
  if (coding !== 'identity') response.set('Content-Encoding', coding);
  response.vary('Accept-Encoding').type(asset.type);
  response.set('Cache-Control', 'public, max-age=31536000, immutable').send(await bytes);
}
