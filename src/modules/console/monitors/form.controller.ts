import { Get, Param, Post, Query } from '@nestjs/common';
import { RequireRole } from '../../../http/auth/access.decorators.js';
import { Form, type FormFields } from '../../../http/body/form-fields.js';
import { asJson, type JsonObject } from '../../../http/body/json.js';
import { type ProblemException } from '../../../http/problems/problem.js';
import { PROBES, probeOf } from '../../../probes/index.js';
import { TrialChecksService } from '../../checks/trial-checks.service.js';
import { MonitorWritesService } from '../../monitors/definition/monitor-writes.service.js';
import { MonitorsService } from '../../monitors/monitors.service.js';
import { type SignedIn } from '../../people/signed-in.types.js';
import { attempt } from '../attempt.js';
import { FormState } from '../form-state.js';
import { Html, type PageAnswer, SeeOther } from '../page-answer.js';
import { CurrentSession, done, Frame, type PageFrame } from '../page-frame.js';
import { Pages } from '../pages.decorator.js';
import { asOpened } from '../revision.js';
import { assertionsOf, assertionTexts } from './form/assertion-rows.js';
import { renderEditMonitor, renderNewMonitor } from './form/form.view.js';
import { monitorBody, monitorForm, monitorPatch, monitorTexts } from './form/monitor-form.js';
import { type MonitorDto } from '../../monitors/dto/monitor.dto.js';
import { pathOf } from './shown-monitor.js';

/** Creates and edits monitors through the same services as the API, and tests definitions that are not saved. */
@Pages('monitors')
export class MonitorFormController {
  constructor(
    private readonly monitors: MonitorsService,
    private readonly writes: MonitorWritesService,
    private readonly trials: TrialChecksService,
  ) {}

  @Get('new')
  @RequireRole('editor')
  blank(@Frame() frame: PageFrame, @Query('type') asked: unknown, @Query('name') name: unknown): PageAnswer {
    const type = formType(asked);
    const defaults = { failureThreshold: 2, recoveryThreshold: 1, intervalSeconds: 60, ...probeOf(type)?.defaults };
    const texts = { ...monitorTexts(type, defaults), ...(typeof name === 'string' && { name }) };
    return new Html(renderNewMonitor(frame, type, { form: FormState.blank(monitorForm(type), texts) }));
  }

  @Post()
  @RequireRole('editor')
  async create(
    @Frame() frame: PageFrame,
    @CurrentSession() { teamId }: SignedIn,
    @Form() form: FormFields,
  ): Promise<PageAnswer> {
    const type = formType(form.text('type'));
    const body = monitorBody(type, form);
    const { value, refusal } = await attempt(() => this.writes.create(teamId, body));
    if (!refusal) return new SeeOther(done(pathOf(value), 'created'));
    const state = FormState.refused(monitorForm(type), inOrder(form), refusal);
    return Html.around(state, renderNewMonitor(frame, type, { form: state, body }));
  }

  @Post('test')
  @RequireRole('editor')
  async test(
    @Frame() frame: PageFrame,
    @CurrentSession() { teamId }: SignedIn,
    @Form() form: FormFields,
  ): Promise<PageAnswer> {
    const type = formType(form.text('type'));
    const body = monitorBody(type, form);
    const { value: check, refusal } = await attempt(() => this.trials.run(teamId, body));
    const state = stateOf(type, form, refusal);
    const html = renderNewMonitor(frame, type, { form: state, body, ...(check && { trial: { check, body } }) });
    return Html.around(state, html);
  }

  @Get(':id/edit')
  @RequireRole('editor')
  async edit(
    @Frame() frame: PageFrame,
    @CurrentSession() { teamId }: SignedIn,
    @Param('id') id: string,
  ): Promise<PageAnswer> {
    const monitor = await this.monitors.get(teamId, id);
    const { type } = monitor;
    const form = FormState.blank(monitorForm(type), monitorTexts(type, asJson(monitor)));
    return new Html(renderEditMonitor(frame, monitor, { form }));
  }

  @Post(':id/edit')
  @RequireRole('editor')
  async save(
    @Frame() frame: PageFrame,
    @CurrentSession() { teamId }: SignedIn,
    @Param('id') id: string,
    @Form() form: FormFields,
  ): Promise<PageAnswer> {
    const monitor = await this.monitors.get(teamId, id);
    const body = patchOf(monitor, form);
    const { refusal } = await attempt(() => this.writes.update(teamId, monitor.id, body, asOpened(form)));
    if (!refusal) return new SeeOther(done(pathOf(monitor), 'saved'));
    const state = stateOf(monitor.type, form, refusal);
    return Html.around(state, renderEditMonitor(frame, monitor, { form: state, body }));
  }

  @Post(':id/test')
  @RequireRole('editor')
  async testChange(
    @Frame() frame: PageFrame,
    @CurrentSession() { teamId }: SignedIn,
    @Param('id') id: string,
    @Form() form: FormFields,
  ): Promise<PageAnswer> {
    const monitor = await this.monitors.get(teamId, id);
    const body = patchOf(monitor, form);
    const { value: check, refusal } = await attempt(() => this.trials.runUpdate(teamId, monitor.id, body));
    const state = stateOf(monitor.type, form, refusal);
    const html = renderEditMonitor(frame, monitor, { form: state, body, ...(check && { trial: { check, body } }) });
    return Html.around(state, html);
  }
}

function formType(asked: unknown): string {
  return (PROBES.find((probe) => probe.type === asked) ?? PROBES[0]!).type;
}

function patchOf(monitor: MonitorDto, form: FormFields): JsonObject {
  return monitorPatch(monitor.type, form, asJson(monitor));
}

function stateOf(type: string, form: FormFields, refusal: ProblemException | null): FormState {
  const shape = monitorForm(type);
  return refusal ? FormState.refused(shape, inOrder(form), refusal) : FormState.sent(shape, inOrder(form));
}

/** Returns the form with its assertions in the rows to which the pointers of faults refer. */
function inOrder(form: FormFields): FormFields {
  return form.with(assertionTexts(assertionsOf(form)));
}
