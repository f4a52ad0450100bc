import { Controller, Get, Query, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { type Response } from 'express';
import { RequireRole, Session } from '../../../http/auth/access.decorators.js';
import { beginEventStream } from '../../../http/event-stream.js';
import { type SignedIn } from '../../people/signed-in.types.js';
import { PageFilter } from '../page.filter.js';
import { CurrentSession } from '../page-frame.js';
import { LiveEventsQuery } from './live-events.query.js';
import { LiveFeed } from './live-feed.service.js';

/** Streams the changes of monitors to open pages as server-sent events. */
@Controller('monitors/events')
@ApiExcludeController()
@Session()
@UseFilters(PageFilter)
export class LiveEventsController {
  constructor(private readonly feed: LiveFeed) {}

  @Get()
  @RequireRole('viewer')
  events(
    @CurrentSession() { sessionId, teamId }: SignedIn,
    @Query() { team, id = [], since, counts = false, evidence = false }: LiveEventsQuery,
    @Res() response: Response,
  ): void {
    // The session has switched from the page's team to another one. Status 204 stops browsers from reconnecting.
    if (team !== (teamId as string)) return void response.status(204).end();
    this.feed.assertRoom(sessionId, teamId);
    const stream = beginEventStream(response);
    if (!stream) return;
    const close = this.feed.follow(
      { sessionId, teamId, ids: id, sinceMs: since ?? null, counts, evidence: evidence && id.length === 1 },
      stream,
    );
    stream.onClose(close);
  }
}
