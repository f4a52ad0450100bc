import { Get, Param, Post, Req } from '@nestjs/common';
import { RequireRole } from '../../../http/auth/access.decorators.js';
import { Form, type FormFields } from '../../../http/body/form-fields.js';
import { type SignedIn } from '../../people/signed-in.types.js';
import { ListStatusPagesDto } from '../../status-pages/dto/list-status-pages.dto.js';
import { type StatusPageDto } from '../../status-pages/dto/status-page.dto.js';
import { PagePreviewService } from '../../status-pages/page-preview.service.js';
import { StatusPageWritesService } from '../../status-pages/status-page-writes.service.js';
import { StatusPagesService } from '../../status-pages/status-pages.service.js';
import { attempt } from '../attempt.js';
import { ContentPolicy } from '../content-policy.decorator.js';
import { FormState } from '../form-state.js';
import { listQuery } from '../list-query.js';
import { Html, type PageAnswer, SeeOther } from '../page-answer.js';
import { CurrentSession, done, Frame, type PageFrame, type PageRequest } from '../page-frame.js';
import { Pages } from '../pages.decorator.js';
import { pageForm } from './page-form.js';
import { renderDeleteStatusPage, renderStatusPageOf, renderUnpublish } from './page.view.js';
import { previewHeaders } from './preview-frame.js';
import { renderStatusPages, STATUS_PAGES_PATH } from './pages.view.js';

/** The pages of section "Status pages" that list and show status pages, and the actions on them. */
@Pages(STATUS_PAGES_PATH.slice(1))
export class StatusPagesPageController {
  constructor(
    private readonly pages: StatusPagesService,
    private readonly writes: StatusPageWritesService,
    private readonly previews: PagePreviewService,
  ) {}

  @Get()
  @RequireRole('viewer')
  async list(
    @Frame() frame: PageFrame,
    @CurrentSession() { teamId }: SignedIn,
    @Req() { query }: PageRequest,
  ): Promise<PageAnswer> {
    const { data, nextCursor } = await this.pages.list(teamId, listQuery(ListStatusPagesDto, query, ['cursor']));
    return new Html(renderStatusPages(frame, { pages: data as StatusPageDto[], nextCursor }));
  }

  @Get(':id')
  @RequireRole('viewer')
  async show(@Frame() frame: PageFrame, @CurrentSession() who: SignedIn, @Param('id') id: string): Promise<PageAnswer> {
    return new Html(renderStatusPageOf(frame, await this.pages.get(who.teamId, id)));
  }

  /** Renders the page as its readers will see it. */
  @Get(':id/preview')
  @RequireRole('viewer')
  async preview(
    @CurrentSession() who: SignedIn,
    @Param('id') id: string,
    @ContentPolicy() strict?: string,
  ): Promise<PageAnswer> {
    const { html, policy } = await this.previews.of(who.teamId, id, strict);
    return new Html(html, 200, previewHeaders(policy));
  }

  @Post(':id/publish')
  @RequireRole('editor')
  async publish(@CurrentSession() who: SignedIn, @Param('id') id: string): Promise<PageAnswer> {
    const page = await this.writes.update(who.teamId, id, { published: true });
    return new SeeOther(done(`${STATUS_PAGES_PATH}/${page.id}`, 'published'));
  }

  @Get(':id/unpublish')
  @RequireRole('editor')
  async askUnpublishing(
    @Frame() frame: PageFrame,
    @CurrentSession() who: SignedIn,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    return new Html(renderUnpublish(frame, await this.pages.get(who.teamId, id)));
  }

  @Post(':id/unpublish')
  @RequireRole('editor')
  async unpublish(@CurrentSession() who: SignedIn, @Param('id') id: string): Promise<PageAnswer> {
    const page = await this.writes.update(who.teamId, id, { published: false });
    return new SeeOther(done(`${STATUS_PAGES_PATH}/${page.id}`, 'unpublished'));
  }

  @Get(':id/delete')
  @RequireRole('editor')
  async askDeletion(
    @Frame() frame: PageFrame,
    @CurrentSession() who: SignedIn,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    return new Html(renderDeleteStatusPage(frame, await this.pages.get(who.teamId, id)));
  }

  @Post(':id/delete')
  @RequireRole('editor')
  async remove(
    @Frame() frame: PageFrame,
    @CurrentSession() who: SignedIn,
    @Param('id') id: string,
    @Form() form: FormFields,
  ): Promise<PageAnswer> {
    const { refusal } = await attempt(() => this.writes.remove(who.teamId, id));
    if (!refusal) return new SeeOther(done(STATUS_PAGES_PATH, 'deleted'));
    const state = FormState.refused(pageForm([]), form, refusal);
    return Html.around(state, renderDeleteStatusPage(frame, await this.pages.get(who.teamId, id), state));
  }
}
