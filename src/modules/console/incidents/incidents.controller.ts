import { Get, Headers, Param, Post, Req } from '@nestjs/common';
import { RequireRole } from '../../../http/auth/access.decorators.js';
import { Form, type FormFields } from '../../../http/body/form-fields.js';
import { authorOf, type TeamId } from '../../../http/auth/principal.js';
import { namesTag } from '../../../http/items/entity-tags.js';
import { type ProblemException } from '../../../http/problems/problem.js';
import { IncidentWritesService } from '../../incidents/incident-writes.service.js';
import { type IncidentDto } from '../../incidents/dto/incident.dto.js';
import { ListIncidentsQuery } from '../../incidents/dto/list-incidents.dto.js';
import { IncidentsService } from '../../incidents/incidents.service.js';
import { ChannelOutcomes } from '../../notifications/channel-outcomes.service.js';
import { type SignedIn } from '../../people/signed-in.types.js';
import { KnownLocationsService } from '../../locations/known-locations.service.js';
import { StatusPagesService } from '../../status-pages/status-pages.service.js';
import { Publications } from '../../status-pages/subscribers/publications.service.js';
import { attempt, type Outcome } from '../attempt.js';
import { AuthorNames } from '../author-names.service.js';
import { FormState, type FormShape } from '../form-state.js';
import { listQuery } from '../list-query.js';
import { Html, type PageAnswer, SeeOther } from '../page-answer.js';
import { CurrentSession, done, Frame, type PageFrame, type PageRequest } from '../page-frame.js';
import { Pages } from '../pages.decorator.js';
import { MonitorSearch } from '../picker/monitor-search.service.js';
import {
  ACKNOWLEDGE_FORM,
  acknowledgeBody,
  acknowledgeDefaults,
  UPDATE_FORM,
  updateBody,
  updateDefaults,
} from './incident-forms.js';
import { renderIncident } from './incident.view.js';
import { isHandled } from './incident-words.js';
import { type IncidentList, INCIDENTS_PATH, renderIncidents } from './incidents.view.js';

const FILTERS = ['status', 'kind', 'monitorId', 'location', 'cursor'];

/** The pages of section "Incidents" that list and show incidents, and the actions on them. */
@Pages(INCIDENTS_PATH.slice(1))
export class IncidentsPageController {
  constructor(
    private readonly incidents: IncidentsService,
    private readonly writes: IncidentWritesService,
    private readonly search: MonitorSearch,
    private readonly authors: AuthorNames,
    private readonly statusPages: StatusPagesService,
    private readonly outcomes: ChannelOutcomes,
    private readonly publications: Publications,
    private readonly locations: KnownLocationsService,
  ) {}

  @Get()
  @RequireRole('viewer')
  async list(
    @Frame() frame: PageFrame,
    @CurrentSession() { teamId }: SignedIn,
    @Req() { query: sent }: PageRequest,
  ): Promise<PageAnswer> {
    const query = listQuery(ListIncidentsQuery, sent, FILTERS);
    const [lists, openCount] = await Promise.all([this.lists(teamId, query), this.incidents.countOpen(teamId)]);
    const { status, kind, monitorId, location, cursor } = query;
    const first = lists.flatMap(({ incidents }) => incidents.flatMap(({ monitorIds }) => monitorIds.slice(0, 1)));
    const named = await this.search.named(teamId, monitorId === undefined ? first : [...first, monitorId]);
    const names = new Map(named.map((one) => [one.id, one]));
    const html = renderIncidents(frame, {
      lists,
      names,
      openCount,
      place: { status, kind, monitorId, location, cursor },
      monitor: monitorId === undefined ? null : (names.get(monitorId) ?? null),
      locations: this.locations.names,
      hits: typeof sent.monitor === 'string' ? await this.search.hits(teamId, sent.monitor) : null,
    });
    return new Html(html);
  }

  @Get(':id')
  @RequireRole('viewer')
  async show(
    @Frame() frame: PageFrame,
    @CurrentSession() who: SignedIn,
    @Param('id') id: string,
    @Headers('if-none-match') known: string | undefined,
  ): Promise<PageAnswer> {
    const incident = await this.incidents.get(who.teamId, id);
    // Pages are not cached: only the script that follows the incident sends a version.
    const ETag = await this.versionOf(who.teamId, incident, frame.nowMs);
    if (known !== undefined && namesTag(known, ETag)) return new Html('', 304, { ETag });
    return this.shown(frame, who, incident, {});
  }

  @Post(':id/updates')
  @RequireRole('editor')
  async postUpdate(
    @Frame() frame: PageFrame,
    @CurrentSession() who: SignedIn,
    @Param('id') id: string,
    @Form() form: FormFields,
  ): Promise<PageAnswer> {
    const outcome = await attempt(async () => {
      const incident = await this.incidents.get(who.teamId, id);
      return this.writes.tell(who.teamId, id, authorOf(who), updateBody(form, incident));
    });
    return this.after(outcome, 'posted', (refusal) => this.refused(frame, who, id, UPDATE_FORM, form, refusal));
  }

  @Post(':id/acknowledge')
  @RequireRole('editor')
  async acknowledge(
    @Frame() frame: PageFrame,
    @CurrentSession() who: SignedIn,
    @Param('id') id: string,
    @Form() form: FormFields,
  ): Promise<PageAnswer> {
    const outcome = await attempt(async () => {
      const body = acknowledgeBody(form, await this.incidents.get(who.teamId, id));
      return this.writes.acknowledge(who.teamId, id, authorOf(who), body);
    });
    const isEarlier = Date.parse(outcome.value?.acknowledgedAt ?? '') < frame.nowMs;
    return this.after(outcome, form.has('note') && isEarlier ? 'noted' : 'acknowledged', (refusal) =>
      this.refused(frame, who, id, ACKNOWLEDGE_FORM, form, refusal),
    );
  }

  @Post(':id/unacknowledge')
  @RequireRole('editor')
  async unacknowledge(
    @Frame() frame: PageFrame,
    @CurrentSession() who: SignedIn,
    @Param('id') id: string,
    @Form() form: FormFields,
  ): Promise<PageAnswer> {
    const outcome = await attempt(() => this.writes.unacknowledge(who.teamId, id, {}));
    return this.after(outcome, 'unacknowledged', (refusal) =>
      this.refused(frame, who, id, ACKNOWLEDGE_FORM, form, refusal),
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
    const outcome = await attempt(() => this.writes.resolve(who.teamId, id));
    const word = outcome.value?.kind === 'drill' ? 'ended' : 'resolved';
    return this.after(outcome, word, (refusal) => this.refused(frame, who, id, UPDATE_FORM, form, refusal));
  }

  @Post(':id/reopen')
  @RequireRole('editor')
  async reopen(
    @Frame() frame: PageFrame,
    @CurrentSession() who: SignedIn,
    @Param('id') id: string,
    @Form() form: FormFields,
  ): Promise<PageAnswer> {
    const outcome = await attempt(() => this.writes.update(who.teamId, id, { resolvedAt: null }));
    return this.after(outcome, 'reopened', (refusal) => this.refused(frame, who, id, UPDATE_FORM, form, refusal));
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
    refused: (refusal: ProblemException) => Promise<Html>,
  ): Promise<Html> | SeeOther {
    return refusal ? refused(refusal) : new SeeOther(done(`${INCIDENTS_PATH}/${value.id}`, word));
  }

  private async refused(
    frame: PageFrame,
    who: SignedIn,
    id: string,
    shape: FormShape,
    form: FormFields,
    refusal: ProblemException,
  ): Promise<Html> {
    const incident = await this.incidents.get(who.teamId, id);
    return this.shown(frame, who, incident, { [shape.id]: FormState.refused(shape, form, refusal) });
  }

  private async shown(
    frame: PageFrame,
    { teamId }: SignedIn,
    incident: IncidentDto,
    sent: { update?: FormState; acknowledge?: FormState },
  ): Promise<Html> {
    const { parentIncidentId, updates, acknowledgedBy } = incident;
    // Before the rest, so that a page with an old version is replaced rather than one with a new version kept.
    const version = await this.versionOf(teamId, incident, frame.nowMs);
    const [monitors, people, parent, pages, outcomes, recipients] = await Promise.all([
      this.search.named(teamId, incident.monitorIds),
      this.authors.of(teamId, [acknowledgedBy, ...updates.map(({ author }) => author)]),
      parentIncidentId === null ? null : this.incidents.get(teamId, parentIncidentId),
      this.statusPages.showing(teamId, incident.monitorIds),
      this.outcomes.of(teamId, incident.id),
      this.publications.countRecipients(teamId, incident.monitorIds),
    ]);
    const refused = sent.update ?? sent.acknowledge;
    const html = renderIncident(frame, {
      incident,
      monitors,
      people,
      parent,
      pages,
      outcomes,
      recipients,
      version,
      refused,
      update: sent.update ?? FormState.blank(UPDATE_FORM, updateDefaults(incident)),
      acknowledge: sent.acknowledge ?? FormState.blank(ACKNOWLEDGE_FORM, acknowledgeDefaults(incident)),
    });
    return refused ? Html.around(refused, html) : new Html(html, 200, { ETag: version });
  }

  /**
   * Returns the entity tag of an incident's page, which changes with the incident, the outages at locations and the
   * notifications, and when the acknowledgement expires.
   */
  private async versionOf(teamId: TeamId, incident: IncidentDto, nowMs: number): Promise<string> {
    const { id, revision, updatedAt, locations } = incident;
    const times = locations.flatMap(({ confirmedAt, resolvedAt }) => [confirmedAt, resolvedAt ?? confirmedAt]);
    const seen = times.reduce((sum, time) => sum + Date.parse(time), 0);
    const handled = isHandled(incident, nowMs) ? 1 : 0;
    return `"${revision}.${Date.parse(updatedAt)}.${seen}.${handled}.${await this.outcomes.version(teamId, id)}"`;
  }
}
