import { type Request, type Response } from 'express';
import { codingFor } from '../../http/content-coding.js';
import { type EdgeRequest } from '../../http/edge-request.js';
import { namesTag } from '../../http/items/entity-tags.js';
import { type PageForm } from './page-form.js';
import { withImagesOf } from './page-policy.js';
import { type VisitedPage } from './public-pages.service.js';

/** Headers of public content, which scripts and pages of other sites may read and embed. */
export const FOR_EVERY_SITE = { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' };

/** Sends a page in a form, or 304 if the caller already has it. */
export async function sendPage(
  form: PageForm,
  { copy, isPrivate, isLastKnown }: VisitedPage,
  request: Request,
  response: Response,
): Promise<void> {
  const coding = codingFor(request);
  const nowMs = Date.now();
  const address = copy.addressUnder((request as Request & EdgeRequest).ownDomain);
  const { bytes, etag } = await copy.body(form, { address, coding, nowMs, isLastKnown });
  const own = response.get('Content-Security-Policy');
  const policy = form.isHtml ? withImagesOf(copy.page.view.logoUrl, own) : own;
  response.vary('Accept-Encoding');
  response.set({
    'Cache-Control': isPrivate ? 'private, no-store' : isLastKnown ? 'no-store' : 'public, max-age=10',
    Age: String(Math.floor(copy.ageMs(nowMs) / 1_000)),
    ...(policy !== undefined && { 'Content-Security-Policy': policy }),
  });
  if (!isPrivate && !form.isHtml) response.set(FOR_EVERY_SITE);
  if (!isPrivate && !isLastKnown) {
    response.set('ETag', etag);
    if (namesTag(request.headers['if-none-match'] ?? '', etag)) {
      response.status(304).end();
      return;
    }
  }
  if (coding !== 'identity') response.set('Content-Encoding', coding);
  response.set({ 'Content-Type': form.type, 'Content-Length': String(bytes.length) });
  response.end(bytes);
}
