import { Get, Param, Post } from '@nestjs/common';
import { RequireRole } from '../../../http/auth/access.decorators.js';
import { Form, type FormFields } from '../../../http/body/form-fields.js';
import { KEEPS_NOTHING } from '../../../http/idempotency/keep-answer.js';
import { CheckResultsService } from '../../checks/check-results.service.js';
import { MonitorPausesService } from '../../monitors/history/monitor-pauses.service.js';
import { MonitorWritesService } from '../../monitors/definition/monitor-writes.service.js';
import { MonitorsService } from '../../monitors/monitors.service.js';
import { type SignedIn } from '../../people/signed-in.types.js';
import { attempt } from '../attempt.js';
import { FormState } from '../form-state.js';
import { Html, type PageAnswer, SeeOther } from '../page-answer.js';
import { CurrentSession, done, Frame, type PageFrame } from '../page-frame.js';
import { Pages } from '../pages.decorator.js';
import { PAUSE_FORM, pauseBody, pauseDefaults } from './pause-form.js';
import { renderDeleteMonitor, renderPause } from './actions.view.js';
import { LIST_PATH } from './list-query.js';
import { pathOf } from './shown-monitor.js';

/** The actions on an existing monitor. */
@Pages('monitors/:id')
export class MonitorActionsController {
  constructor(
    private readonly monitors: MonitorsService,
    private readonly writes: MonitorWritesService,
    private readonly pauses: MonitorPausesService,
    private readonly results: CheckResultsService,
  ) {}

  /** Redirects to the monitor, whose page shows the result if there is one yet. */
  @Post('checks')
  @RequireRole('editor')
  async checkNow(@CurrentSession() { teamId }: SignedIn, @Param('id') id: string): Promise<PageAnswer> {
    const { id: monitorId } = await this.monitors.find(teamId, id);
    const path = pathOf({ id: monitorId });
    const outcome = await this.results.request(teamId, monitorId, { wait: true }, undefined, KEEPS_NOTHING);
    return new SeeOther(done(path, 'result' in outcome ? 'checked' : 'promised'));
  }

  @Get('pause')
  @RequireRole('editor')
  async askPause(
    @Frame() frame: PageFrame,
    @CurrentSession() { teamId }: SignedIn,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    const monitor = await this.monitors.get(teamId, id);
    return new Html(renderPause(frame, monitor, FormState.blank(PAUSE_FORM, pauseDefaults(monitor))));
  }

  @Post('pause')
  @RequireRole('editor')
  async pause(
    @Frame() frame: PageFrame,
    @CurrentSession() { teamId }: SignedIn,
    @Param('id') id: string,
    @Form() form: FormFields,
  ): Promise<PageAnswer> {
    const { value, refusal } = await attempt(() => this.pauses.pause(teamId, id, pauseBody(form)));
    if (!refusal) return new SeeOther(done(pathOf(value), 'paused'));
    const state = FormState.refused(PAUSE_FORM, form, refusal);
    const monitor = await this.monitors.get(teamId, id);
    return Html.around(state, renderPause(frame, monitor, state));
  }

  @Post('resume')
  @RequireRole('editor')
  async resume(@CurrentSession() { teamId }: SignedIn, @Param('id') id: string): Promise<PageAnswer> {
    return new SeeOther(done(pathOf(await this.pauses.resume(teamId, id, undefined)), 'resumed'));
  }

  @Get('delete')
  @RequireRole('editor')
  async askDeletion(
    @Frame() frame: PageFrame,
    @CurrentSession() { teamId }: SignedIn,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    return new Html(renderDeleteMonitor(frame, await this.monitors.get(teamId, id)));
  }

  @Post('delete')
  @RequireRole('editor')
  async remove(@CurrentSession() { teamId }: SignedIn, @Param('id') id: string): Promise<PageAnswer> {
    await this.writes.remove(teamId, id);
    return new SeeOther(done(LIST_PATH, 'deleted'));
  }
}
