import { Get, Req } from '@nestjs/common';
import { RequireRole } from '../../../http/auth/access.decorators.js';
import { scopeOfRole } from '../../../http/auth/principal.js';
import { EventsService } from '../../events/events.service.js';
import { ListEventsDto } from '../../events/dto/list-events.dto.js';
import { type SignedIn } from '../../people/signed-in.types.js';
import { listQuery } from '../list-query.js';
import { Html, type PageAnswer } from '../page-answer.js';
import { CurrentSession, Frame, type PageFrame, type PageRequest } from '../page-frame.js';
import { Pages } from '../pages.decorator.js';
import { AUDIT_LOG_PATH, renderAuditLog } from './audit-log.view.js';

const FILTERS = ['resourceType', 'resourceId', 'actorId', 'cursor'];

/** The page "Audit log" of section "Settings": what happened, and who changed what. */
@Pages(AUDIT_LOG_PATH.slice(1))
export class AuditLogController {
  constructor(private readonly events: EventsService) {}

  @Get()
  @RequireRole('viewer')
  async list(
    @Frame() frame: PageFrame,
    @CurrentSession() { teamId, role }: SignedIn,
    @Req() { query: sent }: PageRequest,
  ): Promise<PageAnswer> {
    const query = listQuery(ListEventsDto, sent, FILTERS);
    const { data, nextCursor } = await this.events.list({ teamId, scopes: [scopeOfRole(role)] }, query);
    const { resourceType, resourceId, actorId, cursor } = query;
    const place = { resourceType, resourceId, actorId, cursor };
    return new Html(renderAuditLog(frame, { events: data, nextCursor, place, seesAll: role === 'owner' }));
  }
}
