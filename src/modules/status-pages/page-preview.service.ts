import { Injectable } from '@nestjs/common';
import { type TeamId } from '../../http/auth/principal.js';
import { renderStatusPage } from './html/status-page.view.js';
import { withImagesOf } from './page-policy.js';
import { PageViews } from './page-views.service.js';
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
    private readonly views: PageViews,
  ) {}

  /** Renders a page. `policy`: the content policy of the service. @throws 404 */
  async of(teamId: TeamId, address: string, policy: string | undefined): Promise<PagePreview> {
    const page = await this.views.view(await this.pages.stored(teamId, address));
    return { html: renderStatusPage(page), policy: withImagesOf(page.view.logoUrl, policy) };
  }
}
