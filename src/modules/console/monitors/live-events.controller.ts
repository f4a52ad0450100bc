import { Controller, Get, Query, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { type Response } from 'express';
import { RequireRole, Session } from '../../../http/auth/access.decorators.js';
import { type SignedIn } from '../../people/signed-in.types.js';
import { PageFilter } from '../page.filter.js';
import { CurrentSession } from '../page-frame.js';
import { LiveEventsQuery } from './live-events.query.js';
import { LiveFeed } from './live-feed.service.js';

/** What a page that does not read may have waiting for it. */
const MAX_WAITING_BYTES = 1_048_576;
const RETRY_MS = 3_000;

/** What changes on open pages, as server-sent events. */
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
    // The page is of a team that the session no longer looks at; this tells browsers not to ask again.
    if (team !== (teamId as string)) return void response.status(204).end();
    this.feed.assertRoom(sessionId, teamId);
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store, no-transform',
      // Else nginx holds events back until its buffer is full.
      'X-Accel-Buffering': 'no',
      // Nothing follows the events: a connection that was kept would hold up a stop.
      Connection: 'close',
    });
    // Who asks for the headers alone would wait for them until the session is over.
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
    // A page that goes away ends its half of the connection, which alone does not end the answer.
    response.socket?.once('end', () => response.destroy());
  }
}
