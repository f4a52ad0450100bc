import { Get, Param, Post } from '@nestjs/common';
import { RequireRole } from '../../../http/auth/access.decorators.js';
import { type FormFields } from '../../../http/body/form-fields.js';
import { type ProblemException } from '../../../http/problems/problem.js';
import { type SignedIn } from '../../people/signed-in.types.js';
import { type StatusPageDto } from '../../status-pages/dto/status-page.dto.js';
import { PagePreviewService } from '../../status-pages/page-preview.service.js';
import { StatusPageWritesService } from '../../status-pages/status-page-writes.service.js';
import { StatusPagesService } from '../../status-pages/status-pages.service.js';
import { attempt } from '../attempt.js';
import { ContentPolicy } from '../content-policy.decorator.js';
import { FormState } from '../form-state.js';
import { Html, type PageAnswer, SeeOther } from '../page-answer.js';
import { CurrentSession, done, Frame, type PageFrame } from '../page-frame.js';
import { Pages } from '../pages.decorator.js';
import { askedOf } from '../picker/asked.js';
import { MonitorSearch } from '../picker/monitor-search.service.js';
import { addedIds } from '../picker/picked-ids.js';
import { asOpened } from '../revision.js';
import { groupsIn, PAGE_STEPS, PageForm } from './page-components.js';
import { renderStatusPageEditor } from './page-editor.view.js';
import { newPageBody, PAGE_DEFAULTS, pageBody, pageDefaults, pageForm, pageStep, previewBody } from './page-form.js';
import { STATUS_PAGES_PATH } from './pages.view.js';
import { editorHeaders, previewHeaders } from './preview-frame.js';

type Fields = Record<string, string>;

/** What the editor shows. */
interface Shown {
  fields: Fields;
  form: FormState;
  /** The page to edit; null for a new one. */
  stored: StatusPageDto | null;
  isChanged: boolean;
}

/**
 * The pages of section "Status pages" that create, edit and preview a status page. Must be registered before the
 * controller of `:id`.
 */
@Pages(STATUS_PAGES_PATH.slice(1))
export class StatusPageEditorController {
  constructor(
    private readonly pages: StatusPagesService,
    private readonly writes: StatusPageWritesService,
    private readonly previews: PagePreviewService,
    private readonly search: MonitorSearch,
  ) {}

  @Get('new')
  @RequireRole('editor')
  async blank(
    @Frame() frame: PageFrame,
    @CurrentSession() who: SignedIn,
    @ContentPolicy() policy?: string,
  ): Promise<PageAnswer> {
    return framing(policy, await this.shown(frame, who, opened(PAGE_DEFAULTS, null)));
  }

  @Post('new')
  @RequireRole('editor')
  async make(
    @Frame() frame: PageFrame,
    @CurrentSession() who: SignedIn,
    @PageForm() form: FormFields,
    @ContentPolicy() policy?: string,
  ): Promise<PageAnswer> {
    const step = await this.step(who, form);
    if (step) return framing(policy, await this.shown(frame, who, stepped(step, null)));
    const published = form.text('do') === 'publish';
    const { value, refusal } = await attempt(() => this.writes.create(who.teamId, { ...newPageBody(form), published }));
    if (!refusal) return new SeeOther(done(`${STATUS_PAGES_PATH}/${value.id}`, published ? 'published' : 'made'));
    return framing(policy, await this.shown(frame, who, refused(form, refusal, null)));
  }

  /** Renders the page that the form describes as its readers would see it, and stores nothing. */
  @Post('preview')
  @RequireRole('editor')
  async preview(
    @CurrentSession() { teamId }: SignedIn,
    @PageForm() form: FormFields,
    @ContentPolicy() policy?: string,
  ): Promise<PageAnswer> {
    const { value, refusal } = await attempt(() => this.previews.ofDraft(teamId, previewBody(form), policy));
    if (!refusal) return new Html(value.html, 200, previewHeaders(value.policy));
    const { form: state } = refused(form, refusal, null);
    const html = this.previews.ofFaults(state.faults.map(({ detail }) => detail));
    return new Html(html, refusal.getStatus(), previewHeaders(policy));
  }

  @Get(':id/edit')
  @RequireRole('editor')
  async edit(
    @Frame() frame: PageFrame,
    @CurrentSession() who: SignedIn,
    @Param('id') id: string,
    @ContentPolicy() policy?: string,
  ): Promise<PageAnswer> {
    const page = await this.pages.get(who.teamId, id);
    return framing(policy, await this.shown(frame, who, opened(pageDefaults(page), page)));
  }

  @Post(':id/edit')
  @RequireRole('editor')
  async change(
    @Frame() frame: PageFrame,
    @CurrentSession() who: SignedIn,
    @Param('id') id: string,
    @PageForm() form: FormFields,
    @ContentPolicy() policy?: string,
  ): Promise<PageAnswer> {
    const { teamId } = who;
    const stored = await this.pages.get(teamId, id);
    const step = await this.step(who, form);
    if (step) return framing(policy, await this.shown(frame, who, stepped(step, stored)));
    const publishes = form.text('do') === 'publish';
    const body = { ...pageBody(form, stored.components), ...(publishes && { published: true }) };
    const { value, refusal } = await attempt(() => this.writes.update(teamId, id, body, asOpened(form)));
    if (!refusal) return new SeeOther(done(`${STATUS_PAGES_PATH}/${value.id}`, publishes ? 'published' : 'changed'));
    return framing(policy, await this.shown(frame, who, refused(form, refusal, await this.pages.get(teamId, id))));
  }

  /** Returns the contents of the form after a step within it; null if it is to be saved. */
  private async step({ teamId }: SignedIn, form: FormFields): Promise<Fields | null> {
    const asked = askedOf(form, PAGE_STEPS);
    if (asked.what === 'save') return null;
    const isTagged = asked.what === 'add-tagged';
    const added = isTagged ? await this.search.tagged(teamId, form.text('tag')) : addedIds(form, asked);
    return pageStep(form, asked, added);
  }

  private async shown(frame: PageFrame, { teamId }: SignedIn, { fields, ...shown }: Shown): Promise<Html> {
    const groups = groupsIn(fields);
    const ids = groups.flatMap(({ components }) => components.map(({ monitorId }) => monitorId));
    const [named, hits, tags] = await Promise.all([
      this.search.named(teamId, ids),
      this.search.offered(teamId, fields.q ?? ''),
      this.search.tags(teamId),
    ]);
    const monitors = new Map(named.map((one) => [one.id, one]));
    return Html.around(shown.form, renderStatusPageEditor(frame, { ...shown, groups, monitors, hits, tags }));
  }
}

function opened(fields: Fields, stored: StatusPageDto | null): Shown {
  return { fields, form: FormState.blank(pageForm(groupsIn(fields)), fields), stored, isChanged: false };
}

function stepped(fields: Fields, stored: StatusPageDto | null): Shown {
  return { ...opened(fields, stored), isChanged: true };
}

function refused(sent: FormFields, refusal: ProblemException, stored: StatusPageDto | null): Shown {
  const fields = sent.record();
  return { fields, form: FormState.refused(pageForm(groupsIn(fields)), sent, refusal), stored, isChanged: true };
}

/** Lets a page contain the preview. */
function framing(policy: string | undefined, { text, status, headers }: Html): Html {
  return new Html(text, status, { ...headers, ...editorHeaders(policy) });
}
