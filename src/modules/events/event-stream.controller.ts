import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { RequireScope } from '../../http/auth/access.decorators.js';
import { CurrentPrincipal, grants, KeyVerifier, type Principal } from '../../http/auth/principal.js';
import { type EdgeRequest } from '../../http/edge-request.js';
import { beginEventStream } from '../../http/event-stream.js';
import { ApiProblems } from '../../http/openapi/openapi.js';
import { EventFiltersDto } from './dto/list-events.dto.js';
import { EventStreams } from './event-streams.service.js';
import { type EventReader, EventsService } from './events.service.js';

const RESUME = 'last-event-id';
/**
 * A stream ends within a second of the revocation of its key. What is left of that second is for the time until the
 * stream is looked at again.
 */
const MAX_AGE_MS = 500;

@ApiTags('Events')
@Controller('v1/events/stream')
export class EventStreamController {
  constructor(
    private readonly events: EventsService,
    private readonly streams: EventStreams,
    private readonly verifier: KeyVerifier,
  ) {}

  /**
   * Streams events as they happen, as server-sent events: each has the `id` and the JSON of an event as its `data`.
   * Starts with the next event, or after `Last-Event-ID`, so that a reader that reconnects misses nothing. Ends within a
   * second when the key is revoked or expires. Comments keep idle connections open.
   */
  @Get()
  @RequireScope('read')
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description: 'The id of the last event received: the stream continues after it.',
    schema: { type: 'string', format: 'uuid', examples: ['0198c9a4-9d10-7e11-8c22-5b6c7d8e9f01'] },
  })
  @ApiOkResponse({
    description: 'The stream, which does not end by itself.',
    content: {
      'text/event-stream': {
        schema: { type: 'string' },
        example: 'id: 0198c9a4-9d10-7e11-8c22-5b6c7d8e9f01\ndata: {"type":"monitor.down",…}\n\n',
      },
    },
  })
  @ApiProblems('limit_reached', 'unavailable')
  async get(
    @CurrentPrincipal() reader: Principal,
    @Query() filters: EventFiltersDto,
    @Req() request: EdgeRequest,
    @Res() response: Response,
  ): Promise<void> {
    const last = request.headers[RESUME];
    const after =
      typeof last === 'string' && last !== ''
        ? await this.events.position(reader, last, 'Last-Event-ID')
        : await this.events.end();
    // Nothing is awaited between this and the opening, so that concurrent requests count each other's streams.
    this.streams.assertRoom(reader.teamId);
    const stream = beginEventStream(response);
    if (!stream) return;
    const close = this.streams.open({
      reader,
      filters,
      after,
      verify: () => this.stillReading(request),
      stream,
    });
    stream.onClose(close);
    stream.onDrain(() => this.streams.resume());
  }

  /** Returns the key of the request as it is now; null if it may no longer read. */
  private async stillReading({ headers }: EdgeRequest): Promise<EventReader | null> {
    const [, token = ''] = (headers.authorization ?? '').trim().split(/ +/);
    const principal = await this.verifier.verify(token, Date.now(), MAX_AGE_MS);
    return principal && grants(principal.scopes, 'read') ? principal : null;
  }
}
