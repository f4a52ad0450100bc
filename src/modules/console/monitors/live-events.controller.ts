import { Controller, Get, Query, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { type Response } from 'express';
import { RequireRole, Session } from '../../../http/auth/access.decorators.js';
import { type SignedIn } from '../../people/signed-in.types.js';
import { PageFilter } from '../page.filter.js';
import { CurrentSession } from '../page-frame.js';
import { LiveEventsQuery } from './live-events.query.js';
import { LiveFeed } from './live-feed.service.js';

/** Maximum number of bytes that are buffered for a page that does not read its events. */
const MAX_WAITING_BYTES = 1_048_576;
const RETRY_MS = 3_000;

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
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store, no-transform',
      // Otherwise nginx would hold events back until its buffer is full.
      'X-Accel-Buffering': 'no',
      // No request follows the events, and a connection that is kept alive would delay the shutdown.
      Connection: 'close',
    });
    // Otherwise a client would wait for the headers until the session ends.
    if (response.req.method === 'HEAD') return void response.end();
    response.write(`retry: ${RETRY_MS}\n\n`);
    const close = this.feed.follow(
      { sessionId, teamId, ids: id, sinceMs: since ?? null, counts, evidence: evidence && id.length === 1 },
      {
        write: (text) => {
          if (response.writableLength > MAX_WAITING_BYTES) response.destroy();
          else response.write(text);
        },
        end: () => response.end(),
      },
    );
    response.once('close', close);
    // A closed page ends only its half of the connection, which does not close the response.
    response.socket?.once('end', () => response.destroy());
  }
}
