import { Get, Param, Post, Req } from '@nestjs/common';
import { RequireRole } from '../../../http/auth/access.decorators.js';
import { FormFields } from '../../../http/body/form-fields.js';
import { EventsService } from '../../events/events.service.js';
import { IncidentsService } from '../../incidents/incidents.service.js';
import { ListNotificationsDto } from '../../notifications/dto/list-notifications.dto.js';
import { type NotificationDto } from '../../notifications/dto/notification.dto.js';
import { NotificationsService } from '../../notifications/notifications.service.js';
import { type SignedIn } from '../../people/signed-in.types.js';
import { attempt } from '../attempt.js';
import { FormState, type FormShape } from '../form-state.js';
import { listQuery, withQuery } from '../list-query.js';
import { Html, type PageAnswer, SeeOther } from '../page-answer.js';
import { CurrentSession, done, Frame, type PageFrame, type PageRequest } from '../page-frame.js';
import { Pages } from '../pages.decorator.js';
import { MonitorSearch } from '../picker/monitor-search.service.js';
import { type LogPlace } from './log-filters.view.js';
import { type LogNames, renderLog } from './log.view.js';
import { LOG_PATH } from './notification-tabs.js';
import { PolicyNamesService } from './policy-names.service.js';

const FILTERS = ['status', 'channelId', 'policyId', 'incidentId', 'monitorId', 'cursor'];
const RETRY_FORM: FormShape = { id: 'retry', labels: {} };

/** The page "Delivery log" of notifications: what was sent, what waits, and what was not sent. */
@Pages(LOG_PATH.slice(1))
export class DeliveryLogController {
  constructor(
    private readonly notifications: NotificationsService,
    private readonly incidents: IncidentsService,
    private readonly events: EventsService,
    private readonly search: MonitorSearch,
    private readonly names: PolicyNamesService,
  ) {}

  @Get()
  @RequireRole('viewer')
  async list(
    @Frame() frame: PageFrame,
    @CurrentSession() who: SignedIn,
    @Req() { query }: PageRequest,
  ): Promise<PageAnswer> {
    return new Html(await this.shown(frame, who, listQuery(ListNotificationsDto, query, FILTERS)));
  }

  @Post(':id/retry')
  @RequireRole('editor')
  async retry(
    @Frame() frame: PageFrame,
    @CurrentSession() who: SignedIn,
    @Param('id') id: string,
    @Req() { query: sent }: PageRequest,
  ): Promise<PageAnswer> {
    const query = listQuery(ListNotificationsDto, sent, FILTERS);
    const { refusal } = await attempt(() => this.notifications.retry(who.teamId, id, {}));
    if (!refusal) return new SeeOther(done(withQuery(LOG_PATH, placeOf(query)), 'retried'));
    const form = FormState.refused(RETRY_FORM, new FormFields(), refusal);
    return Html.around(form, await this.shown(frame, who, query, form));
  }

  private async shown(frame: PageFrame, who: SignedIn, query: ListNotificationsDto, form?: FormState): Promise<string> {
    const [{ data, nextCursor }, channels] = await Promise.all([
      this.notifications.list(who.teamId, query),
      this.names.channels(who.teamId),
    ]);
    const names = await this.namesOf(who, data);
    const place = placeOf(query);
    return renderLog(frame, { notifications: data, nextCursor, place, channels, names, ...(form && { form }) });
  }

  private async namesOf({ teamId }: SignedIn, notifications: readonly NotificationDto[]): Promise<LogNames> {
    const incidentIds = notifications.flatMap(({ incidentId }) => incidentId ?? []);
    const eventIds = notifications.flatMap(({ incidentId, eventId }) => (incidentId === null ? [eventId] : []));
    const [incidents, events, monitors] = await Promise.all([
      this.incidents.titles(teamId, incidentIds),
      // Of events about access, only those about channels are notified, and everyone sees the names of channels.
      this.events.byId({ teamId, scopes: ['admin'] }, eventIds),
      this.search.named(
        teamId,
        notifications.flatMap(({ monitorIds }) => monitorIds),
      ),
    ]);
    return { incidents, events, monitors: new Map(monitors.map((one) => [one.id, one])) };
  }
}

function placeOf({ status, channelId, policyId, incidentId, monitorId, cursor }: ListNotificationsDto): LogPlace {
  return { status, channelId, policyId, incidentId, monitorId, cursor };
}
