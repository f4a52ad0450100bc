import { expect, it } from '@jest/globals';
import { Copies } from '../../domain/copies.js';
import { type TeamId } from '../../http/auth/principal.js';
import { type BodyRequest, PageCopy } from './page-copy.js';
import { JSON_VIEW } from './page-forms.js';
import { type PublicPage } from './public-page.types.js';

const MANY = 200;
/** Each copy was measured to use 5.5 KB. */
const ROOM_FOR_MANY = MANY * 5_500;

/** Returns a page without content. */
const page = (slug: string): PublicPage => ({
  id: slug,
  slug,
  teamId: slug as TeamId,
  parts: [],
  theme: 'auto',
  acceptsSubscribers: false,
  createdAt: new Date(0),
  updatedAt: new Date(0),
  view: {
    name: 'Empty',
    description: null,
    status: 'unknown',
    computedAt: '2026-01-01T00:00:00.000Z',
    timezone: 'UTC',
    historyDays: 90,
    homepageUrl: null,
    accentColor: null,
    logoUrl: null,
    components: [],
    maintenance: [],
    incidents: [],
  },
});

const ofPage = (copy: PageCopy): BodyRequest => ({
  address: copy.addressUnder(undefined),
  coding: 'identity',
  nowMs: 0,
  isLastKnown: false,
});

it('accounts for the memory of pages without content', async () => {
  const copies = new Copies<PageCopy>({ freshMs: 1, usableMs: 1, maxBytes: ROOM_FOR_MANY, now: () => 0 });
  const slugs = Array.from({ length: 2 * MANY }, (_, n) => `page-${n}`);
  for (const slug of slugs) {
    const made = new PageCopy({ slug, passwordHash: null, version: '' }, page(slug), 'http://here', () =>
      copies.trim(),
    );
    const copy = await copies.get(slug, { version: '', askedAtMs: 0 }, () => Promise.resolve(made));
    await copy.body(JSON_VIEW, ofPage(copy));
  }
  expect(slugs.filter((slug) => copies.last(slug) !== null).length).toBeLessThanOrEqual(MANY);
});
