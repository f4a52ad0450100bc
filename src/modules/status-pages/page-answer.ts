import { type Request, type Response } from 'express';
import { codingFor } from '../../http/content-coding.js';
import { namesTag } from '../../http/items/entity-tags.js';
import { type PageForm } from './page-copy.js';
import { withImagesOf } from './page-policy.js';
import { type VisitedPage } from './public-pages.service.js';

const TYPES: Readonly<Record<PageForm, string>> = {
  html: 'text/html; charset=utf-8',
  json: 'application/json; charset=utf-8',
  feed: 'application/atom+xml; charset=utf-8',
};

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
  const isAged = isLastKnown && form === 'html';
  const { bytes, etag } = isAged ? await copy.agedPage(nowMs, coding) : await copy.body(form, coding);
  const own = response.get('Content-Security-Policy');
  const policy = form === 'html' ? withImagesOf(copy.page.view.logoUrl, own) : own;
  response.vary('Accept-Encoding');
  response.set({
    'Cache-Control': isPrivate ? 'private, no-store' : isLastKnown ? 'no-store' : 'public, max-age=10',
    Age: String(Math.floor(copy.ageMs(nowMs) / 1_000)),
    ...(policy !== undefined && { 'Content-Security-Policy': policy }),
  });
  if (!isPrivate && form !== 'html') response.set(FOR_EVERY_SITE);
  if (!isPrivate && !isLastKnown) {
    response.set('ETag', etag);
    if (namesTag(request.headers['if-none-match'] ?? '', etag)) {
      response.status(304).end();
      return;
    }
  }
  if (coding !== 'identity') response.set('Content-Encoding', coding);
  response.set({ 'Content-Type': TYPES[form], 'Content-Length': String(bytes.length) });
  response.end(bytes);
}
