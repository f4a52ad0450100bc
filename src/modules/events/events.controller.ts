import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../http/auth/access.decorators.js';
import { CurrentPrincipal, type Principal } from '../../http/auth/principal.js';
import { type Page } from '../../http/lists/page.js';
import { ApiProblems, PAGE_HEADERS } from '../../http/openapi/openapi.js';
import { EventDto, EventPageDto } from './dto/event.dto.js';
import { ListEventsDto } from './dto/list-events.dto.js';
import { EventsService } from './events.service.js';

@ApiTags('Events')
@Controller('v1/events')
export class EventsController {
  constructor(private readonly events: EventsService) {}

  /**
   * Lists what happened: changes of state, incidents, and every change of the configuration with its author. Newest
   * first, or with `after` oldest first. Keys with the scope `admin` see all events, others those about monitors,
   * incidents, maintenance windows, certificates, domains and locations.
   */
  @Get()
  @RequireScope('read')
  @ApiOkResponse({ type: EventPageDto, description: 'A page of events.', headers: PAGE_HEADERS })
  @ApiProblems('invalid_cursor')
  list(@CurrentPrincipal() reader: Principal, @Query() query: ListEventsDto): Promise<Page<EventDto>> {
    return this.events.list(reader, query);
  }

  /** Gets an event. Events are kept for 400 days, unless the operator has set another period. */
  @Get(':id')
  @RequireScope('read')
  @ApiParam({
    name: 'id',
    description: 'The id of the event.',
    schema: { type: 'string', format: 'uuid', example: '0198c9a4-9d10-7e11-8c22-5b6c7d8e9f01' },
  })
  @ApiOkResponse({ type: EventDto, description: 'The event.' })
  @ApiProblems('not_found')
  get(@CurrentPrincipal() reader: Principal, @Param('id') id: string): Promise<EventDto> {
    return this.events.get(reader, id);
  }
}
