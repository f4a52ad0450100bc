import { Injectable } from '@nestjs/common';
import { type TeamId } from '../../http/auth/principal.js';
import { renderStatusPage } from './html/status-page.view.js';
import { withImagesOf } from './page-policy.js';
import { PageViews } from './page-views.service.js';
import { StatusPagesService } from './status-pages.service.js';

/** A page as its visitors get it. */
export interface PagePreview {
  html: string;
  /** The content policy that it goes with. */
  policy: string | undefined;
}

/** Status pages as their visitors see them, for the team alone: before they are published, and without a password. */
@Injectable()
export class PagePreviewService {
  constructor(
    private readonly pages: StatusPagesService,
    private readonly views: PageViews,
  ) {}

  /** `policy`: the strict content policy of the service. @throws 404 */
  async of(teamId: TeamId, address: string, policy: string | undefined): Promise<PagePreview> {
    const page = await this.views.view(await this.pages.stored(teamId, address));
    return { html: renderStatusPage(page), policy: withImagesOf(page.view.logoUrl, policy) };
  }
}
