import { Injectable } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { isDatabaseAway } from '../../database/database-fault.js';
import { AppConfig } from '../../config/app-config.js';
import { notFound } from '../../http/problems/problem.js';
import { Copies } from '../../domain/copies.js';
import { PageCopy } from './page-copy.js';
import { PageGate, type Visitor } from './page-gate.service.js';
import { PageViews } from './page-views.service.js';
import { type PublishedPage, PublishedPages } from './published-pages.service.js';
import { type StoredPage } from './status-page.mapper.js';
import { StatusPagesService } from './status-pages.service.js';

/** Figures move with each check, so a page that is looked at is made anew this often, whoever looks at it. */
const FRESH_MS = 5_000;
/** Older figures would surprise somebody who looks twice. */
const USABLE_MS = 30_000;
const MAX_BYTES = 64 * 1_024 * 1_024;
/** Who waits longer for a busy database gets the last good copy. */
const PATIENCE_MS = 2_000;

/** A stored page whose visitor may see it. */
export interface EnteredPage extends StoredPage {
  /** Only for those who have the password: no cache may hand it on. */
  isPrivate: boolean;
}

/** A page for a visitor who may see it. */
export interface VisitedPage {
  copy: PageCopy;
  /** As in `EnteredPage`. */
  isPrivate: boolean;
  /** The database is away: this is the last that is known. */
  isLastKnown: boolean;
}

/** What everybody may see of status pages. */
@Injectable()
export class PublicPagesService {
  private readonly copies = new Copies<PageCopy>({
    ...{ freshMs: FRESH_MS, usableMs: USABLE_MS, maxBytes: MAX_BYTES },
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
   * The page that a badge is of.
   * @throws 404 for an unknown slug and for an unpublished page, 401 and 429 for one with a password: see `PageGate`
   */
  async enter(slug: string, visitor: Visitor): Promise<EnteredPage> {
    const stored = await this.pages.published(slug);
    const passwordHash = passwordHashOf(stored);
    await this.admit({ slug, passwordHash }, visitor);
    return { ...stored, isPrivate: passwordHash !== null };
  }

  /**
   * The page with all that was written before this call; its figures are some seconds old at most. While the database is
   * away, the last good copy. @throws as `enter`; 503 where the database is away and there is no copy
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
    // Its password was changed since it was looked up.
    if (copy.of.passwordHash !== page.passwordHash) await this.admit(copy.of, visitor);
    return { copy, isPrivate: copy.of.passwordHash !== null, isLastKnown: false };
  }

  /** What was known of a page is not to be shown any more, not even while the database is away. */
  forget(slug: string): void {
    this.copies.forget(slug);
  }

  /** What is kept is for those who may see the page now, whichever process has closed it to others. */
  private forgetUnlessOf({ slug, passwordHash }: PublishedPage): void {
    const kept = this.copies.last(slug);
    if (kept && kept.of.passwordHash !== passwordHash) this.forget(slug);
  }

  /** Gives up waiting where the database is away, or slow, and there is a copy to show instead. */
  private async unlessAway<T>(slug: string, work: () => Promise<T>): Promise<T | 'away'> {
    if (!this.copies.last(slug)) return work();
    const patience = new AbortController();
    const over = delay(PATIENCE_MS, 'away' as const, { signal: patience.signal });
    over.catch(() => undefined);
    try {
      return await Promise.race([work(), over]);
    } catch (error) {
      if (isDatabaseAway(error) && this.copies.last(slug)) return 'away';
      throw error;
    } finally {
      patience.abort();
    }
  }

  /** As `visit` while the database is away. */
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
