import { Get, Param, Post } from '@nestjs/common';
import { RequireRole } from '../../../http/auth/access.decorators.js';
import { Form, type FormFields } from '../../../http/body/form-fields.js';
import { DrillsService } from '../../incidents/drills.service.js';
import { MonitorsService } from '../../monitors/monitors.service.js';
import { type SignedIn } from '../../people/signed-in.types.js';
import { attempt } from '../attempt.js';
import { FormState } from '../form-state.js';
import { INCIDENTS_PATH } from '../incidents/incidents.view.js';
import { Html, type PageAnswer, SeeOther } from '../page-answer.js';
import { CurrentSession, done, Frame, type PageFrame } from '../page-frame.js';
import { Pages } from '../pages.decorator.js';
import { DRILL_DEFAULTS, DRILL_FORM, drillBody } from './drill-form.js';
import { renderStartDrill } from './drill.view.js';

/** The page that starts a drill of a monitor, which asks first: a drill sends real notifications. */
@Pages('monitors/:id/drill')
export class DrillPageController {
  constructor(
    private readonly monitors: MonitorsService,
    private readonly drills: DrillsService,
  ) {}

  @Get()
  @RequireRole('editor')
  async ask(
    @Frame() frame: PageFrame,
    @CurrentSession() { teamId }: SignedIn,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    const monitor = await this.monitors.get(teamId, id);
    return new Html(renderStartDrill(frame, monitor, FormState.blank(DRILL_FORM, DRILL_DEFAULTS)));
  }

  @Post()
  @RequireRole('editor')
  async start(
    @Frame() frame: PageFrame,
    @CurrentSession() { teamId }: SignedIn,
    @Param('id') id: string,
    @Form() form: FormFields,
  ): Promise<PageAnswer> {
    const { value, refusal } = await attempt(() => this.drills.start(teamId, id, drillBody(form)));
    if (!refusal) return new SeeOther(done(`${INCIDENTS_PATH}/${value.id}`, 'drilling'));
    const state = FormState.refused(DRILL_FORM, form, refusal);
    const monitor = await this.monitors.get(teamId, id);
    return Html.around(state, renderStartDrill(frame, monitor, state));
  }
}
