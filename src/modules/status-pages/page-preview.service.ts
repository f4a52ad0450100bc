import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
import { type TeamId } from '../../http/auth/principal.js';
import { renderPreviewFaults } from './html/notice.view.js';
import { renderStatusPage } from './html/status-page.view.js';
import { PageAddress } from './page-address.js';
import { withImagesOf } from './page-policy.js';
import { PageViews } from './page-views.service.js';
import { StatusPageWritesService } from './status-page-writes.service.js';
import { type StoredPage } from './status-page.mapper.js';
import { StatusPagesService } from './status-pages.service.js';

/** A page as visitors see it. */
export interface PagePreview {
  html: string;
  /** The content policy to send with it. */
  policy: string | undefined;
}

/** Previews of status pages for the team: also of unpublished pages, and without the password. */
@Injectable()
export class PagePreviewService {
  constructor(
    private readonly pages: StatusPagesService,
    private readonly writes: StatusPageWritesService,
    private readonly views: PageViews,
    private readonly config: AppConfig,
  ) {}

  /** Renders a stored page. `policy`: the content policy of the service. @throws 404 */
  async of(teamId: TeamId, address: string, policy: string | undefined): Promise<PagePreview> {
    return this.rendered(await this.pages.stored(teamId, address), policy, true);
  }

  /** Renders the page that a create with this body would store, and stores nothing. @throws 422 */
  async ofDraft(teamId: TeamId, body: unknown, policy: string | undefined): Promise<PagePreview> {
    return this.rendered(await this.writes.draft(teamId, body), policy, false);
  }

  /** Renders why there is no preview. */
  ofFaults(details: readonly string[]): string {
    return renderPreviewFaults(details);
  }

  private async rendered(stored: StoredPage, policy: string | undefined, isLive: boolean): Promise<PagePreview> {
    const page = await this.views.view(stored);
    const address = PageAddress.ofSlug(this.config.origin, page.slug);
    const html = renderStatusPage({ page, address, ageMs: null, isLive });
    return { html, policy: withImagesOf(page.view.logoUrl, policy) };
  }
}
