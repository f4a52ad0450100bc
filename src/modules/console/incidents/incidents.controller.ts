import { Get, Param, Post, Req } from '@nestjs/common';
import { RequireRole } from '../../../http/auth/access.decorators.js';
import { Form, type FormFields } from '../../../http/body/form-fields.js';
import { authorOf, type TeamId } from '../../../http/auth/principal.js';
import { IncidentWritesService } from '../../incidents/incident-writes.service.js';
import { type IncidentDto } from '../../incidents/dto/incident.dto.js';
import { ListIncidentsQuery } from '../../incidents/dto/list-incidents.dto.js';
import { IncidentsService } from '../../incidents/incidents.service.js';
import { type SignedIn } from '../../people/signed-in.types.js';
import { UsersService } from '../../users/users.service.js';
import { attempt, type Outcome } from '../attempt.js';
import { peopleAmong } from '../author-words.js';
import { FormState } from '../form-state.js';
import { listQuery } from '../list-query.js';
import { Html, type PageAnswer, SeeOther } from '../page-answer.js';
import { CurrentSession, done, Frame, type PageFrame, type PageRequest } from '../page-frame.js';
import { Pages } from '../pages.decorator.js';
import { MonitorSearch } from '../picker/monitor-search.service.js';
import { ACKNOWLEDGE_FORM, UPDATE_FORM, updateBody, updateDefaults } from './incident-forms.js';
import { renderIncident } from './incident.view.js';
import { type IncidentList, INCIDENTS_PATH, renderIncidents } from './incidents.view.js';

const FILTERS = ['status', 'kind', 'monitorId', 'cursor'];

/** The pages of section "Incidents" that list and show incidents, and the actions on them. */
@Pages(INCIDENTS_PATH.slice(1))
export class IncidentsPageController {
  constructor(
    private readonly incidents: IncidentsService,
    private readonly writes: IncidentWritesService,
    private readonly search: MonitorSearch,
    private readonly users: UsersService,
  ) {}

  @Get()
  @RequireRole('viewer')
  async list(
    @Frame() frame: PageFrame,
    @CurrentSession() { teamId }: SignedIn,
    @Req() { query: sent }: PageRequest,
  ): Promise<PageAnswer> {
    const query = listQuery(ListIncidentsQuery, sent, FILTERS);
    const lists = await this.lists(teamId, query);
    const { status, kind, monitorId, cursor } = query;
    const first = lists.flatMap(({ incidents }) => incidents.flatMap(({ monitorIds }) => monitorIds.slice(0, 1)));
    const named = await this.search.named(teamId, monitorId === undefined ? first : [...first, monitorId]);
    const names = new Map(named.map((one) => [one.id, one]));
    const html = renderIncidents(frame, {
      lists,
      names,
      place: { status, kind, monitorId, cursor },
      monitor: monitorId === undefined ? null : (names.get(monitorId) ?? null),
      hits: typeof sent.monitor === 'string' ? await this.search.hits(teamId, sent.monitor) : null,
    });
    return new Html(html);
  }

  @Get(':id')
  @RequireRole('viewer')
  show(@Frame() frame: PageFrame, @CurrentSession() who: SignedIn, @Param('id') id: string): Promise<PageAnswer> {
    return this.shown(frame, who, id, {});
  }

  @Post(':id/updates')
  @RequireRole('editor')
  async tell(
    @Frame() frame: PageFrame,
    @CurrentSession() who: SignedIn,
    @Param('id') id: string,
    @Form() form: FormFields,
  ): Promise<PageAnswer> {
    const outcome = await attempt(() => this.writes.tell(who.teamId, id, authorOf(who), updateBody(form)));
    return this.after(outcome, 'told', (refusal) =>
      this.shown(frame, who, id, { tell: FormState.refused(UPDATE_FORM, form, refusal) }),
    );
  }

  @Post(':id/acknowledge')
  @RequireRole('editor')
  async acknowledge(
    @Frame() frame: PageFrame,
    @CurrentSession() who: SignedIn,
    @Param('id') id: string,
    @Form() form: FormFields,
  ): Promise<PageAnswer> {
    const body = { note: form.text('note').trim() };
    const outcome = await attempt(() => this.writes.acknowledge(who.teamId, id, authorOf(who), body));
    return this.after(outcome, 'acknowledged', (refusal) =>
      this.shown(frame, who, id, { acknowledge: FormState.refused(ACKNOWLEDGE_FORM, form, refusal) }),
    );
  }

  @Post(':id/resolve')
  @RequireRole('editor')
  async resolve(
    @Frame() frame: PageFrame,
    @CurrentSession() who: SignedIn,
    @Param('id') id: string,
    @Form() form: FormFields,
  ): Promise<PageAnswer> {
    const body = { resolvedAt: new Date(frame.nowMs).toISOString() };
    const outcome = await attempt(() => this.writes.update(who.teamId, id, body));
    return this.after(outcome, 'resolved', (refusal) =>
      this.shown(frame, who, id, { tell: FormState.refused(UPDATE_FORM, form, refusal) }),
    );
  }

  /** Returns the lists of open and of resolved incidents, or only that of the requested status. */
  private lists(teamId: TeamId, query: ListIncidentsQuery): Promise<IncidentList[]> {
    // A cursor belongs to one of the lists, so the address with it also contains the status.
    const statuses = query.status ? [query.status] : (['open', 'resolved'] as const);
    return Promise.all(
      statuses.map(async (status) => {
        const { data: incidents, nextCursor } = await this.incidents.list(teamId, { ...query, status });
        return { status, incidents, nextCursor };
      }),
    );
  }

  private after(
    { value, refusal }: Outcome<IncidentDto>,
    word: string,
    refused: (refusal: NonNullable<Outcome<IncidentDto>['refusal']>) => Promise<Html>,
  ): Promise<Html> | SeeOther {
    return refusal ? refused(refusal) : new SeeOther(done(`${INCIDENTS_PATH}/${value.id}`, word));
  }

  private async shown(
    frame: PageFrame,
    { teamId }: SignedIn,
    id: string,
    sent: { tell?: FormState; acknowledge?: FormState },
  ): Promise<Html> {
    const incident = await this.incidents.get(teamId, id);
    const { parentIncidentId, updates, acknowledgedBy, acknowledgeNote } = incident;
    const [monitors, people, parent] = await Promise.all([
      this.search.named(teamId, incident.monitorIds),
      this.users.byId(peopleAmong([acknowledgedBy, ...updates.map(({ author }) => author)])),
      parentIncidentId === null ? null : this.incidents.get(teamId, parentIncidentId),
    ]);
    const refused = sent.tell ?? sent.acknowledge;
    const html = renderIncident(frame, {
      incident,
      monitors,
      people,
      parent,
      refused,
      tell: sent.tell ?? FormState.blank(UPDATE_FORM, updateDefaults(incident)),
      acknowledge: sent.acknowledge ?? FormState.blank(ACKNOWLEDGE_FORM, { note: acknowledgeNote ?? '' }),
    });
    return Html.around(refused, html);
  }
}
