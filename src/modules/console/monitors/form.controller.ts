import { Get, Param, Post, Query } from '@nestjs/common';
import { AppConfig } from '../../../config/app-config.js';
import { RequireRole } from '../../../http/auth/access.decorators.js';
import { type TeamId } from '../../../http/auth/principal.js';
import { FormFields } from '../../../http/body/form-fields.js';
import { asJson, type JsonObject } from '../../../http/body/json.js';
import { DEFAULT_LOCATION } from '../../../domain/location.js';
import { ProblemException } from '../../../http/problems/problem.js';
import { awaitsReports, PROBES, probeOf } from '../../../probes/index.js';
import { TrialChecksService } from '../../checks/trial-checks.service.js';
import { KnownLocationsService } from '../../locations/known-locations.service.js';
import { MonitorWritesService } from '../../monitors/definition/monitor-writes.service.js';
import { MonitorsService } from '../../monitors/monitors.service.js';
import { type SignedIn } from '../../people/signed-in.types.js';
import { attempt } from '../attempt.js';
import { FormState } from '../form-state.js';
import { Html, type PageAnswer, SeeOther } from '../page-answer.js';
import { CurrentSession, done, Frame, type PageFrame } from '../page-frame.js';
import { Pages } from '../pages.decorator.js';
import { MonitorSearch } from '../picker/monitor-search.service.js';
import { PickerForm, stepWithMonitors } from '../picker/picked-ids.js';
import { asOpened } from '../revision.js';
import { renderEditMonitor, renderNewMonitor, type Trial } from './form/form.view.js';
import {
  CARRIED,
  copyTexts,
  formOf,
  inOrder,
  monitorBody,
  monitorForm,
  monitorPatch,
  monitorTexts,
  nameOfTarget,
  unshownPart,
} from './form/monitor-form.js';
import { afterStepAction } from './form/step-rows.js';
import { type MonitorDto } from '../../monitors/dto/monitor.dto.js';
import { pathOf } from './shown-monitor.js';

const DEFAULT_INTERVAL_SECONDS = 60;

/** What a form that was sent contains besides its state. */
interface SentForm {
  body?: JsonObject;
  trial?: Trial;
}

/** Creates and edits monitors through the same services as the API, and tests definitions that are not saved. */
@Pages('monitors')
export class MonitorFormController {
  private readonly minIntervalSeconds: number;

  constructor(
    private readonly monitors: MonitorsService,
    private readonly writes: MonitorWritesService,
    private readonly trials: TrialChecksService,
    private readonly locations: KnownLocationsService,
    private readonly search: MonitorSearch,
    config: AppConfig,
  ) {
    this.minIntervalSeconds = config.get('MIN_INTERVAL_SECONDS');
  }

  /** Shows an empty form, or with `from` a copy of that monitor. The query may fill in fields that all types have. */
  @Get('new')
  @RequireRole('editor')
  async blank(
    @Frame() frame: PageFrame,
    @CurrentSession() { teamId }: SignedIn,
    @Query() query: Readonly<Record<string, unknown>>,
  ): Promise<PageAnswer> {
    if (typeof query.from === 'string') return this.copy(frame, teamId, await this.monitors.get(teamId, query.from));
    const type = formType(query.type);
    const { defaults, intervalSeconds: usual = DEFAULT_INTERVAL_SECONDS } = probeOf(type)!;
    const intervalSeconds = Math.max(usual, this.minIntervalSeconds);
    const assertions = asJson(formOf(type).initialAssertions);
    const places = { locations: [DEFAULT_LOCATION], quorum: 'majority' };
    const checking = { failureThreshold: 2, intervalSeconds, ...places };
    const common = awaitsReports(type) ? { failureThreshold: 1 } : checking;
    const initial = { ...common, recoveryThreshold: 1, ...defaults, assertions };
    const given = CARRIED.flatMap((name) => (typeof query[name] === 'string' ? [[name, query[name]]] : []));
    const texts = { ...monitorTexts(type, initial), ...(Object.fromEntries(given) as Record<string, string>) };
    return new Html(await this.newForm(frame, teamId, type, opened(type, texts)));
  }

  @Post()
  @RequireRole('editor')
  async create(
    @Frame() frame: PageFrame,
    @CurrentSession() { teamId }: SignedIn,
    @PickerForm() form: FormFields,
  ): Promise<PageAnswer> {
    const type = formType(form.text('type'));
    const changed = afterStep(type, form);
    if (changed) return new Html(await this.newForm(frame, teamId, type, changed));
    const body = await this.newBody(teamId, type, form);
    if (!body) return this.orphan(frame, teamId, type, form);
    const { value, refusal } = await attempt(() => this.writes.create(teamId, body));
    if (!refusal) return new SeeOther(done(pathOf(value), 'created'));
    const state = stateOf(type, form, refusal);
    return Html.around(state, await this.newForm(frame, teamId, type, state, { body }));
  }

  @Post('test')
  @RequireRole('editor')
  async test(
    @Frame() frame: PageFrame,
    @CurrentSession() { teamId }: SignedIn,
    @PickerForm() form: FormFields,
  ): Promise<PageAnswer> {
    const type = formType(form.text('type'));
    const body = await this.newBody(teamId, type, form);
    if (!body) return this.orphan(frame, teamId, type, form);
    const { value: check, refusal } = await attempt(() => this.trials.run(teamId, body));
    const state = stateOf(type, form, refusal);
    const sent = { body, ...(check && { trial: { check, body } }) };
    return Html.around(state, await this.newForm(frame, teamId, type, state, sent));
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
    return new Html(await this.editForm(frame, teamId, monitor, opened(type, monitorTexts(type, asJson(monitor)))));
  }

  @Post(':id/edit')
  @RequireRole('editor')
  async save(
    @Frame() frame: PageFrame,
    @CurrentSession() { teamId }: SignedIn,
    @Param('id') id: string,
    @PickerForm() form: FormFields,
  ): Promise<PageAnswer> {
    const monitor = await this.monitors.get(teamId, id);
    const changed = afterStep(monitor.type, form);
    if (changed) return new Html(await this.editForm(frame, teamId, monitor, changed));
    const body = patchOf(monitor, form);
    const { refusal } = await attempt(() => this.writes.update(teamId, monitor.id, body, asOpened(form)));
    if (!refusal) return new SeeOther(done(pathOf(monitor), 'saved'));
    const state = stateOf(monitor.type, form, refusal);
    return Html.around(state, await this.editForm(frame, teamId, monitor, state, { body }));
  }

  @Post(':id/test')
  @RequireRole('editor')
  async testChange(
    @Frame() frame: PageFrame,
    @CurrentSession() { teamId }: SignedIn,
    @Param('id') id: string,
    @PickerForm() form: FormFields,
  ): Promise<PageAnswer> {
    const monitor = await this.monitors.get(teamId, id);
    const body = patchOf(monitor, form);
    const { value: check, refusal } = await attempt(() => this.trials.runUpdate(teamId, monitor.id, body));
    const state = stateOf(monitor.type, form, refusal);
    const sent = { body, ...(check && { trial: { check, body } }) };
    return Html.around(state, await this.editForm(frame, teamId, monitor, state, sent));
  }

  private async copy(frame: PageFrame, teamId: TeamId, { id, ...monitor }: MonitorDto): Promise<Html> {
    const form = opened(monitor.type, { ...copyTexts(monitor.type, asJson(monitor)), from: id });
    return new Html(await this.newForm(frame, teamId, monitor.type, form));
  }

  /**
   * Returns the definition of a new monitor. That of a copy includes what the form does not show; null if the original
   * has been deleted meanwhile.
   */
  private async newBody(teamId: TeamId, type: string, form: FormFields): Promise<JsonObject | null> {
    const from = form.text('from');
    const monitor = from === '' ? {} : await this.monitors.getOrNull(teamId, from);
    if (!monitor) return null;
    const original = asJson(monitor);
    const body = monitorBody(type, form, original);
    // Without a target, only the target is reported as missing.
    const name = body.name ?? nameOfTarget(type, body) ?? (awaitsReports(type) ? null : 'Unnamed');
    return { ...(from !== '' && unshownPart(original)), ...body, name };
  }

  /** Shows the form of a copy without its original as that of a new monitor, so that nothing of it is lost. */
  private async orphan(frame: PageFrame, teamId: TeamId, type: string, form: FormFields): Promise<Html> {
    const detail =
      'The original has been deleted, so the settings that this form does not show are not copied. ' +
      'Nothing has been saved yet.';
    const state = stateOf(type, form.with({ from: '' }), new ProblemException(409, 'conflict', detail));
    return Html.around(state, await this.newForm(frame, teamId, type, state));
  }

  private async newForm(
    frame: PageFrame,
    teamId: TeamId,
    type: string,
    form: FormState,
    sent: SentForm = {},
  ): Promise<string> {
    const parents = await this.search.picks(teamId, form);
    return renderNewMonitor(frame, type, { form, parents, ...this.limits(), from: form.text('from'), ...sent });
  }

  private async editForm(
    frame: PageFrame,
    teamId: TeamId,
    monitor: MonitorDto,
    form: FormState,
    sent: SentForm = {},
  ): Promise<string> {
    const parents = await this.search.picks(teamId, form);
    return renderEditMonitor(frame, monitor, { form, parents, ...this.limits(), ...sent });
  }

  private limits(): { minIntervalSeconds: number; places: readonly string[] } {
    return { minIntervalSeconds: this.minIntervalSeconds, places: this.locations.keys };
  }
}

function formType(asked: unknown): string {
  return (PROBES.find((probe) => probe.type === asked) ?? PROBES[0]!).type;
}

function patchOf(monitor: MonitorDto, form: FormFields): JsonObject {
  return monitorPatch(monitor.type, form, asJson(monitor));
}

function opened(type: string, texts: Readonly<Record<string, string>>): FormState {
  return FormState.blank(
    monitorForm(type, (name) => texts[name] ?? ''),
    texts,
  );
}

function stateOf(type: string, form: FormFields, refusal: ProblemException | null): FormState {
  const shape = monitorForm(type, (name) => form.text(name));
  const sent = inOrder(type, form);
  return refusal ? FormState.refused(shape, sent, refusal) : FormState.sent(shape, sent);
}

/**
 * Returns the form after a button that only changes the monitors that it depends on or the steps of a sequence; null if
 * another one was pressed.
 */
function afterStep(type: string, form: FormFields): FormState | null {
  const { steps } = formOf(type);
  const picked = stepWithMonitors(form);
  const changed = picked ? new FormFields(new URLSearchParams(picked)) : steps && afterStepAction(steps, form);
  return changed && stateOf(type, changed, null);
}
