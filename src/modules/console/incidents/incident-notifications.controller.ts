import { Get, Param, Req } from '@nestjs/common';
import { RequireRole } from '../../../http/auth/access.decorators.js';
import { PageQueryDto } from '../../../http/lists/page.js';
import { IncidentsService } from '../../incidents/incidents.service.js';
import { ChannelDirectory } from '../../notification-policies/channel-directory.service.js';
import { NotificationsService } from '../../notifications/notifications.service.js';
import { type SignedIn } from '../../people/signed-in.types.js';
import { listQuery } from '../list-query.js';
import { Html, type PageAnswer } from '../page-answer.js';
import { CurrentSession, Frame, type PageFrame, type PageRequest } from '../page-frame.js';
import { Pages } from '../pages.decorator.js';
import { renderIncidentNotifications } from './incident-notifications.view.js';

const PAGE_SIZE = 50;

/** The page that lists every notification about an incident. */
@Pages('incidents/:id/notifications')
export class IncidentNotificationsPageController {
  constructor(
    private readonly incidents: IncidentsService,
    private readonly notifications: NotificationsService,
    private readonly channels: ChannelDirectory,
  ) {}

  @Get()
  @RequireRole('viewer')
  async list(
    @Frame() frame: PageFrame,
    @CurrentSession() { teamId }: SignedIn,
    @Param('id') id: string,
    @Req() { query: sent }: PageRequest,
  ): Promise<PageAnswer> {
    const incident = await this.incidents.get(teamId, id);
    const query = Object.assign(listQuery(PageQueryDto, sent, ['cursor']), { limit: PAGE_SIZE });
    const [{ data, nextCursor }, channels] = await Promise.all([
      this.notifications.listOf(teamId, incident.id, query),
      this.channels.all(teamId),
    ]);
    const names = new Map(channels.map((channel) => [channel.id, channel.name]));
    const isFirstPage = query.cursor === undefined;
    return new Html(
      renderIncidentNotifications(frame, { incident, notifications: data, names, nextCursor, isFirstPage }),
    );
  }
}
