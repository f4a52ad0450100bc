import { Get, Param, Post } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { RequireRole } from '../../../http/auth/access.decorators.js';
import { type FormFields } from '../../../http/body/form-fields.js';
import { type ProblemException } from '../../../http/problems/problem.js';
import { type MaintenanceWindowDto } from '../../maintenance/dto/maintenance-window.dto.js';
import { MaintenanceWindowWritesService } from '../../maintenance/maintenance-window-writes.service.js';
import { MaintenanceWindowsService } from '../../maintenance/maintenance-windows.service.js';
import { MonitorSelectionService } from '../../monitors/definition/monitor-selection.service.js';
import { type SignedIn } from '../../people/signed-in.types.js';
import { Publications } from '../../status-pages/subscribers/publications.service.js';
import { attempt } from '../attempt.js';
import { listedOr } from '../field-values.js';
import { FormState } from '../form-state.js';
import { Html, type PageAnswer, SeeOther } from '../page-answer.js';
import { CurrentSession, done, Frame, type PageFrame } from '../page-frame.js';
import { Pages } from '../pages.decorator.js';
import { MonitorSearch } from '../picker/monitor-search.service.js';
import { MONITORS_FIELD, pickedIds, PickerForm, stepWithMonitors } from '../picker/picked-ids.js';
import { asOpened } from '../revision.js';
import { renderWindowEditor } from './window-editor.view.js';
import { WINDOW_DEFAULTS, WINDOW_FORM, windowBody, windowDefaults, windowForm } from './window-form.js';
import { MAINTENANCE_PATH } from './windows.view.js';

/**
 * The pages of section "Maintenance" that create and edit a window. Must be registered before the controller of `:id`.
 */
@Pages(MAINTENANCE_PATH.slice(1))
export class MaintenanceEditorController {
  constructor(
    private readonly windows: MaintenanceWindowsService,
    private readonly writes: MaintenanceWindowWritesService,
    private readonly search: MonitorSearch,
    private readonly publications: Publications,
    private readonly selections: MonitorSelectionService,
  ) {}

  @Get('new')
  @RequireRole('editor')
  blank(@Frame() frame: PageFrame, @CurrentSession() who: SignedIn): Promise<PageAnswer> {
    return this.shown(frame, who, FormState.blank(WINDOW_FORM, WINDOW_DEFAULTS), null);
  }

  @Post('new')
  @RequireRole('editor')
  async plan(
    @Frame() frame: PageFrame,
    @CurrentSession() who: SignedIn,
    @PickerForm() form: FormFields,
  ): Promise<PageAnswer> {
    const step = stepWithMonitors(form);
    if (step) return this.shown(frame, who, FormState.blank(WINDOW_FORM, step), null);
    const { value, refusal } = await attempt(() => this.writes.create(who.teamId, windowBody(form, null)));
    if (!refusal) return new SeeOther(done(`${MAINTENANCE_PATH}/${value.id}`, 'planned'));
    return this.shown(frame, who, refused(form, refusal), null);
  }

  @Get(':id/edit')
  @RequireRole('editor')
  async edit(@Frame() frame: PageFrame, @CurrentSession() who: SignedIn, @Param('id') id: string): Promise<PageAnswer> {
    const window = await this.windows.get(who.teamId, id);
    return this.shown(frame, who, FormState.blank(WINDOW_FORM, windowDefaults(window)), window);
  }

  @Post(':id/edit')
  @RequireRole('editor')
  async change(
    @Frame() frame: PageFrame,
    @CurrentSession() who: SignedIn,
    @Param('id') id: string,
    @PickerForm() form: FormFields,
  ): Promise<PageAnswer> {
    const window = await this.windows.get(who.teamId, id);
    const step = stepWithMonitors(form);
    if (step) return this.shown(frame, who, FormState.blank(WINDOW_FORM, step), window);
    const { refusal } = await attempt(() =>
      this.writes.update(who.teamId, id, windowBody(form, window), asOpened(form)),
    );
    if (!refusal) return new SeeOther(done(`${MAINTENANCE_PATH}/${window.id}`, 'changed'));
    return this.shown(frame, who, refused(form, refusal), await this.windows.get(who.teamId, id));
  }

  private async shown(
    frame: PageFrame,
    { teamId }: SignedIn,
    form: FormState,
    window: MaintenanceWindowDto | null,
  ): Promise<Html> {
    const selection = {
      monitorIds: pickedIds(form.text(MONITORS_FIELD)).filter((id) => isUuid(id)),
      tags: listedOr(window?.tags, form.text('tags')),
    };
    const [picks, members] = await Promise.all([
      this.search.picks(teamId, form),
      this.selections.members(teamId, selection),
    ]);
    const recipients = await this.publications.countRecipients(teamId, members);
    return Html.around(form, renderWindowEditor(frame, { form, ...picks, window, recipients }));
  }
}

function refused(form: FormFields, refusal: ProblemException): FormState {
  return FormState.refused(windowForm(form.text('recurs')), form, refusal);
}
