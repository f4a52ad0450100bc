import { Get, Param, Post } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { RequireRole } from '../../../http/auth/access.decorators.js';
import { type FormFields } from '../../../http/body/form-fields.js';
import { authorOf } from '../../../http/auth/principal.js';
import { type IncidentDto } from '../../incidents/dto/incident.dto.js';
import { IncidentWritesService } from '../../incidents/incident-writes.service.js';
import { IncidentsService } from '../../incidents/incidents.service.js';
import { type SignedIn } from '../../people/signed-in.types.js';
import { Publications } from '../../status-pages/subscribers/publications.service.js';
import { attempt } from '../attempt.js';
import { FormState } from '../form-state.js';
import { Html, type PageAnswer, SeeOther } from '../page-answer.js';
import { CurrentSession, done, Frame, type PageFrame } from '../page-frame.js';
import { Pages } from '../pages.decorator.js';
import { MonitorSearch } from '../picker/monitor-search.service.js';
import { MONITORS_FIELD, pickedIds, PickerForm, stepWithMonitors } from '../picker/picked-ids.js';
import { asOpened } from '../revision.js';
import { renderEditIncident, renderNewIncident } from './incident-editor.view.js';
import { changeBody, INCIDENT_DEFAULTS, INCIDENT_FORM, incidentDefaults, reportBody } from './incident-forms.js';
import { INCIDENTS_PATH } from './incidents.view.js';

/**
 * The pages of section "Incidents" that report and edit an incident. Must be registered before the controller of `:id`.
 */
@Pages(INCIDENTS_PATH.slice(1))
export class IncidentEditorController {
  constructor(
    private readonly incidents: IncidentsService,
    private readonly writes: IncidentWritesService,
    private readonly search: MonitorSearch,
    private readonly publications: Publications,
  ) {}

  @Get('new')
  @RequireRole('editor')
  blank(@Frame() frame: PageFrame, @CurrentSession() who: SignedIn): Promise<PageAnswer> {
    return this.shown(frame, who, FormState.blank(INCIDENT_FORM, INCIDENT_DEFAULTS), null);
  }

  @Post('new')
  @RequireRole('editor')
  async report(
    @Frame() frame: PageFrame,
    @CurrentSession() who: SignedIn,
    @PickerForm() form: FormFields,
  ): Promise<PageAnswer> {
    const step = stepWithMonitors(form);
    if (step) return this.shown(frame, who, FormState.blank(INCIDENT_FORM, step), null);
    const { value, refusal } = await attempt(async () =>
      this.writes.create(who.teamId, authorOf(who), reportBody(form)),
    );
    if (!refusal) return new SeeOther(done(`${INCIDENTS_PATH}/${value.id}`, 'reported'));
    return this.shown(frame, who, FormState.refused(INCIDENT_FORM, form, refusal), null);
  }

  @Get(':id/edit')
  @RequireRole('editor')
  async edit(@Frame() frame: PageFrame, @CurrentSession() who: SignedIn, @Param('id') id: string): Promise<PageAnswer> {
    const incident = await this.incidents.get(who.teamId, id);
    if (incident.kind === 'drill') return new SeeOther(`${INCIDENTS_PATH}/${incident.id}`);
    return this.shown(frame, who, FormState.blank(INCIDENT_FORM, incidentDefaults(incident)), incident);
  }

  @Post(':id/edit')
  @RequireRole('editor')
  async change(
    @Frame() frame: PageFrame,
    @CurrentSession() who: SignedIn,
    @Param('id') id: string,
    @PickerForm() form: FormFields,
  ): Promise<PageAnswer> {
    const incident = await this.incidents.get(who.teamId, id);
    const step = stepWithMonitors(form);
    if (step) return this.shown(frame, who, FormState.blank(INCIDENT_FORM, step), incident);
    const { refusal } = await attempt(async () =>
      this.writes.update(who.teamId, id, changeBody(form, incident), asOpened(form)),
    );
    if (!refusal) return new SeeOther(done(`${INCIDENTS_PATH}/${incident.id}`, 'changed'));
    const state = FormState.refused(INCIDENT_FORM, form, refusal);
    return this.shown(frame, who, state, await this.incidents.get(who.teamId, id));
  }

  private async shown(
    frame: PageFrame,
    { teamId }: SignedIn,
    form: FormState,
    incident: IncidentDto | null,
  ): Promise<Html> {
    const picked = pickedIds(form.text(MONITORS_FIELD)).filter((id) => isUuid(id));
    const [picks, recipients] = await Promise.all([
      this.search.picks(teamId, form),
      this.publications.countRecipients(teamId, picked),
    ]);
    const props = { form, ...picks, recipients };
    const html = incident ? renderEditIncident(frame, { incident, ...props }) : renderNewIncident(frame, props);
    return Html.around(form, html);
  }
}
