import { Get, Param, Post } from '@nestjs/common';
import { RequireRole } from '../../../http/auth/access.decorators.js';
import { Form, type FormFields } from '../../../http/body/form-fields.js';
import { type ProblemException } from '../../../http/problems/problem.js';
import { type SignedIn } from '../../people/signed-in.types.js';
import { type StatusPageDto } from '../../status-pages/dto/status-page.dto.js';
import { StatusPageWritesService } from '../../status-pages/status-page-writes.service.js';
import { StatusPagesService } from '../../status-pages/status-pages.service.js';
import { attempt } from '../attempt.js';
import { FormState } from '../form-state.js';
import { Html, type PageAnswer, SeeOther } from '../page-answer.js';
import { CurrentSession, done, Frame, type PageFrame } from '../page-frame.js';
import { Pages } from '../pages.decorator.js';
import { MonitorSearch } from '../picker/monitor-search.service.js';
import { asOpened } from '../revision.js';
import { componentsIn } from './page-components.js';
import { renderStatusPageEditor } from './page-editor.view.js';
import { PAGE_DEFAULTS, pageBody, pageDefaults, pageForm, pageStep } from './page-form.js';
import { STATUS_PAGES_PATH } from './pages.view.js';

type Fields = Record<string, string>;

/**
 * The pages of section "Status pages" that create and edit a status page. Must be registered before the controller of
 * `:id`.
 */
@Pages(STATUS_PAGES_PATH.slice(1))
export class StatusPageEditorController {
  constructor(
    private readonly pages: StatusPagesService,
    private readonly writes: StatusPageWritesService,
    private readonly search: MonitorSearch,
  ) {}

  @Get('new')
  @RequireRole('editor')
  blank(@Frame() frame: PageFrame, @CurrentSession() who: SignedIn): Promise<PageAnswer> {
    return this.filled(frame, who, PAGE_DEFAULTS, null);
  }

  @Post('new')
  @RequireRole('editor')
  async make(
    @Frame() frame: PageFrame,
    @CurrentSession() who: SignedIn,
    @Form() form: FormFields,
  ): Promise<PageAnswer> {
    const step = pageStep(form);
    if (step) return this.filled(frame, who, step, null);
    const published = form.text('do') === 'publish';
    const { value, refusal } = await attempt(() => this.writes.create(who.teamId, { ...pageBody(form), published }));
    if (!refusal) return new SeeOther(done(`${STATUS_PAGES_PATH}/${value.id}`, published ? 'published' : 'made'));
    return this.refused(frame, who, form, refusal, null);
  }

  @Get(':id/edit')
  @RequireRole('editor')
  async edit(@Frame() frame: PageFrame, @CurrentSession() who: SignedIn, @Param('id') id: string): Promise<PageAnswer> {
    const page = await this.pages.get(who.teamId, id);
    return this.filled(frame, who, pageDefaults(page), page);
  }

  @Post(':id/edit')
  @RequireRole('editor')
  async change(
    @Frame() frame: PageFrame,
    @CurrentSession() who: SignedIn,
    @Param('id') id: string,
    @Form() form: FormFields,
  ): Promise<PageAnswer> {
    const step = pageStep(form);
    if (step) return this.filled(frame, who, step, await this.pages.get(who.teamId, id));
    const { value, refusal } = await attempt(() => this.writes.update(who.teamId, id, pageBody(form), asOpened(form)));
    if (!refusal) return new SeeOther(done(`${STATUS_PAGES_PATH}/${value.id}`, 'changed'));
    return this.refused(frame, who, form, refusal, await this.pages.get(who.teamId, id));
  }

  private filled(frame: PageFrame, who: SignedIn, fields: Fields, page: StatusPageDto | null): Promise<Html> {
    const shape = pageForm(componentsIn(fields).length);
    return this.shown(frame, who, fields, FormState.blank(shape, fields), page);
  }

  private refused(
    frame: PageFrame,
    who: SignedIn,
    form: FormFields,
    refusal: ProblemException,
    page: StatusPageDto | null,
  ): Promise<Html> {
    const fields = form.record();
    const shape = pageForm(componentsIn(fields).length);
    return this.shown(frame, who, fields, FormState.refused(shape, form, refusal), page);
  }

  private async shown(
    frame: PageFrame,
    { teamId }: SignedIn,
    fields: Fields,
    form: FormState,
    stored: StatusPageDto | null,
  ): Promise<Html> {
    const ids = componentsIn(fields).map(({ monitorId }) => monitorId);
    const [named, hits] = await Promise.all([this.search.named(teamId, ids), this.search.hits(teamId, fields.q ?? '')]);
    const names = new Map(named.map((one) => [one.id, one]));
    const monitors = ids.map((id) => names.get(id)!);
    return Html.around(form, renderStatusPageEditor(frame, { form, monitors, hits, stored }));
  }
}
