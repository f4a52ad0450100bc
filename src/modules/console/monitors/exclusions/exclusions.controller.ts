import { Get, Param, Post, Query } from '@nestjs/common';
import { RequireRole } from '../../../../http/auth/access.decorators.js';
import { authorOf } from '../../../../http/auth/principal.js';
import { Form, type FormFields } from '../../../../http/body/form-fields.js';
import { validateQuery } from '../../../../http/body/validation.js';
import { ListExclusionsQuery } from '../../../exclusions/dto/exclusion.dto.js';
import { ExclusionsService } from '../../../exclusions/exclusions.service.js';
import { MonitorsService } from '../../../monitors/monitors.service.js';
import { type SignedIn } from '../../../people/signed-in.types.js';
import { attempt } from '../../attempt.js';
import { FormState } from '../../form-state.js';
import { Html, type PageAnswer, SeeOther } from '../../page-answer.js';
import { CurrentSession, done, Frame, type PageFrame } from '../../page-frame.js';
import { Pages } from '../../pages.decorator.js';
import { MonitorSearch } from '../../picker/monitor-search.service.js';
import { EXCLUSION_DEFAULTS, EXCLUSION_FORM, exclusionBody } from './exclusion-form.js';
import { exclusionsPathOf } from './exclusion-table.js';
import { renderDeleteExclusion, renderExclusions, renderNewExclusion } from './exclusions.view.js';
import { ShownExclusionsService } from './shown-exclusions.service.js';

/** The pages that list the exclusions of a monitor, create them and delete them. */
@Pages('monitors/:id/exclusions')
export class ExclusionsPageController {
  constructor(
    private readonly monitors: MonitorsService,
    private readonly exclusions: ExclusionsService,
    private readonly shown: ShownExclusionsService,
    private readonly search: MonitorSearch,
  ) {}

  @Get()
  @RequireRole('viewer')
  async list(
    @Frame() frame: PageFrame,
    @CurrentSession() { teamId }: SignedIn,
    @Param('id') address: string,
    @Query('cursor') cursor: unknown,
  ): Promise<PageAnswer> {
    const monitor = await this.monitors.get(teamId, address);
    const query = validateQuery(ListExclusionsQuery, {
      monitorId: monitor.id,
      ...(typeof cursor === 'string' && { cursor }),
    });
    return new Html(renderExclusions(frame, monitor, await this.shown.list(teamId, query)));
  }

  @Get('new')
  @RequireRole('editor')
  async blank(
    @Frame() frame: PageFrame,
    @CurrentSession() { teamId }: SignedIn,
    @Param('id') address: string,
  ): Promise<PageAnswer> {
    const monitor = await this.monitors.get(teamId, address);
    return new Html(renderNewExclusion(frame, monitor, FormState.blank(EXCLUSION_FORM, EXCLUSION_DEFAULTS)));
  }

  @Post('new')
  @RequireRole('editor')
  async create(
    @Frame() frame: PageFrame,
    @CurrentSession() who: SignedIn,
    @Param('id') address: string,
    @Form() form: FormFields,
  ): Promise<PageAnswer> {
    const monitor = await this.monitors.get(who.teamId, address);
    const { refusal } = await attempt(async () =>
      this.exclusions.create(who.teamId, authorOf(who), exclusionBody(monitor.id, form)),
    );
    if (!refusal) return new SeeOther(done(exclusionsPathOf(monitor), 'excluded'));
    const state = FormState.refused(EXCLUSION_FORM, form, refusal);
    return Html.around(state, renderNewExclusion(frame, monitor, state));
  }

  @Get(':exclusionId/delete')
  @RequireRole('editor')
  async askDeletion(
    @Frame() frame: PageFrame,
    @CurrentSession() { teamId }: SignedIn,
    @Param('id') address: string,
    @Param('exclusionId') id: string,
  ): Promise<PageAnswer> {
    const monitor = await this.monitors.get(teamId, address);
    const exclusion = await this.exclusions.ofMonitor(teamId, monitor.id, id);
    const monitors = await this.search.named(teamId, exclusion.monitorIds);
    return new Html(renderDeleteExclusion(frame, monitor, exclusion, monitors));
  }

  @Post(':exclusionId/delete')
  @RequireRole('editor')
  async remove(
    @CurrentSession() who: SignedIn,
    @Param('id') address: string,
    @Param('exclusionId') id: string,
  ): Promise<PageAnswer> {
    const monitor = await this.monitors.get(who.teamId, address);
    const exclusion = await this.exclusions.ofMonitor(who.teamId, monitor.id, id);
    await this.exclusions.remove(who.teamId, authorOf(who), exclusion.id);
    return new SeeOther(done(exclusionsPathOf(monitor), 'deleted'));
  }
}
