import { Injectable } from '@nestjs/common';
import { unlessAway } from '../../database/unless-away.js';
import { AppConfig } from '../../config/app-config.js';
import { notFound } from '../../http/problems/problem.js';
import { Copies } from '../../domain/copies.js';
import { PageCopy } from './page-copy.js';
import { PageGate, type Visitor } from './page-gate.service.js';
import { PageViews } from './page-views.service.js';
import { type PublishedPage, PublishedPages } from './published-pages.service.js';
import { type StoredPage } from './status-page.mapper.js';
import { StatusPagesService } from './status-pages.service.js';

/** Age from which a requested page is computed again, because figures change with each check. */
const FRESH_MS = 5_000;
/** Maximum age of figures: older ones would confuse a visitor who reloads the page. */
const USABLE_MS = 30_000;
const MAX_BYTES = 64 * 1_024 * 1_024;
/** Time to wait for a busy database before the latest copy is served. */
const PATIENCE_MS = 2_000;

/** A stored page for an admitted visitor. */
export interface EnteredPage extends StoredPage {
  /** Whether the page has a password, so that shared caches must not store it. */
  isPrivate: boolean;
}

/** A rendered page for an admitted visitor. */
export interface VisitedPage {
  copy: PageCopy;
  /** As in `EnteredPage`. */
  isPrivate: boolean;
  /** Whether the copy is the latest known one because the database is away. */
  isLastKnown: boolean;
}

/** Serves status pages to the public. */
@Injectable()
export class PublicPagesService {
  private readonly copies = new Copies<PageCopy>({
    freshMs: FRESH_MS,
    usableMs: USABLE_MS,
    maxBytes: MAX_BYTES,
    now: () => performance.now(),
  });

  constructor(
    private readonly published: PublishedPages,
    private readonly pages: StatusPagesService,
    private readonly gate: PageGate,
    private readonly views: PageViews,
    private readonly config: AppConfig,
  ) {}

  /**
   * Returns the page for a badge.
   * @throws 404 for an unknown slug or an unpublished page, 401 and 429 for a page with a password: see `PageGate`
   */
  async enter(slug: string, visitor: Visitor): Promise<EnteredPage> {
    const stored = await this.pages.published(slug);
    const passwordHash = passwordHashOf(stored);
    await this.admit({ slug, passwordHash }, visitor);
    return { ...stored, isPrivate: passwordHash !== null };
  }

  /**
   * Returns the page with everything that was written before this call; its figures are at most some seconds old. While
   * the database is away, returns the latest copy. @throws as `enter`; 503 if the database is away and there is no copy
   */
  async visit(slug: string, visitor: Visitor): Promise<VisitedPage> {
    const askedAtMs = performance.now();
    const page = await this.unlessAway(slug, () => this.published.find(slug));
    if (page === 'away') return this.lastKnown(slug, visitor);
    if (page === null) {
      this.forget(slug);
      throw notFound();
    }
    this.forgetUnlessOf(page);
    await this.admit(page, visitor);
    const wanted = { version: page.version, askedAtMs };
    const copy = await this.unlessAway(slug, () => this.copies.get(slug, wanted, () => this.make(page)));
    if (copy === 'away') return this.lastKnown(slug, visitor);
    // The password has changed since the page was looked up.
    if (copy.of.passwordHash !== page.passwordHash) await this.admit(copy.of, visitor);
    return { copy, isPrivate: copy.of.passwordHash !== null, isLastKnown: false };
  }

  /** Discards the copy of a page, so that it is not served even while the database is away. */
  forget(slug: string): void {
    this.copies.forget(slug);
  }

  /** Discards the copy of a page whose password has changed, whichever process changed it. */
  private forgetUnlessOf({ slug, passwordHash }: PublishedPage): void {
    const kept = this.copies.last(slug);
    if (kept && kept.of.passwordHash !== passwordHash) this.forget(slug);
  }

  /** Stops waiting if the database is away or slow and there is a copy to serve instead. */
  private async unlessAway<T>(slug: string, work: () => Promise<T>): Promise<T | 'away'> {
    if (!this.copies.last(slug)) return work();
    const outcome = await unlessAway(PATIENCE_MS, work);
    // The copy may have been discarded in the meantime.
    return outcome === 'away' && !this.copies.last(slug) ? work() : outcome;
  }

  /** Implements `visit` while the database is away. */
  private async lastKnown(slug: string, visitor: Visitor): Promise<VisitedPage> {
    const copy = this.copies.last(slug);
    if (!copy) throw notFound();
    await this.admit(copy.of, visitor);
    return { copy, isPrivate: copy.of.passwordHash !== null, isLastKnown: true };
  }

  private async admit(
    { slug, passwordHash }: Pick<PublishedPage, 'slug' | 'passwordHash'>,
    visitor: Visitor,
  ): Promise<void> {
    if (passwordHash !== null) await this.gate.admit({ slug, passwordHash }, visitor);
  }

  private async make(page: PublishedPage): Promise<PageCopy> {
    const stored = await this.pages.published(page.slug);
    const view = await this.views.view(stored);
    return new PageCopy({ ...page, passwordHash: passwordHashOf(stored) }, view, this.config.origin, () =>
      this.copies.trim(),
    );
  }
}

/** As in `PublishedPage`. */
function passwordHashOf({ page: { accessType, passwordHash } }: StoredPage): string | null {
  return accessType === 'password' ? (passwordHash ?? '') : null;
}
