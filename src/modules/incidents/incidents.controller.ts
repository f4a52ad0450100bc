import { Body, Controller, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiCreatedResponse, ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../http/auth/access.decorators.js';
import { RawBody } from '../../http/body/raw-body.decorator.js';
import { Keep, type KeepAnswer } from '../../http/idempotency/keep-answer.js';
import { IfMatch } from '../../http/items/if-match.decorator.js';
import {
  ApiConditionalGet,
  ApiProblems,
  BODY_PROBLEMS,
  CREATED_HEADERS,
  ITEM_HEADERS,
  PAGE_HEADERS,
} from '../../http/openapi/openapi.js';
import { type Page } from '../../http/lists/page.js';
import { CurrentAuthor, CurrentTeam, type TeamId } from '../../http/auth/principal.js';
import { Located } from '../../http/items/representation.js';
import { IncidentDto, IncidentPageDto } from './dto/incident.dto.js';
import { ListIncidentsQuery } from './dto/list-incidents.dto.js';
import {
  AcknowledgeIncidentDto,
  CreateIncidentDto,
  UpdateIncidentDto,
  WriteIncidentUpdateDto,
} from './dto/write-incident.dto.js';
import { IncidentWritesService } from './incident-writes.service.js';
import { IncidentsService } from './incidents.service.js';

const IncidentId = () =>
  ApiParam({
    name: 'id',
    description: 'The id of the incident.',
    schema: { type: 'string', format: 'uuid', example: '0198c9a4-9a11-7b7e-8f35-5a0f3f3d7a01' },
  });

@ApiTags('Incidents')
@Controller('v1/incidents')
export class IncidentsController {
  constructor(
    private readonly incidents: IncidentsService,
    private readonly writes: IncidentWritesService,
  ) {}

  /** Lists incidents, sorted by start, newest first. */
  @Get()
  @RequireScope('read')
  @ApiOkResponse({ type: IncidentPageDto, description: 'A page of incidents.', headers: PAGE_HEADERS })
  @ApiProblems('invalid_cursor')
  list(@CurrentTeam() team: TeamId, @Query() query: ListIncidentsQuery): Promise<Page<IncidentDto>> {
    return this.incidents.list(team, query);
  }

  /** Creates a manual incident, for status pages. It does not affect uptime, which is computed only from checks. */
  @Post()
  @RequireScope('write')
  @Located('/v1/incidents/{id}')
  @ApiBody({
    type: CreateIncidentDto,
    examples: {
      investigating: {
        summary: 'An incident with its first update.',
        value: {
          title: 'Payments are delayed',
          monitorIds: ['key:checkout-api'],
          impact: 'degraded',
          update: { phase: 'investigating', text: 'We are looking into it.' },
        },
      },
    },
  })
  @ApiCreatedResponse({ type: IncidentDto, headers: CREATED_HEADERS })
  @ApiProblems(...BODY_PROBLEMS, 'limit_reached')
  create(
    @CurrentTeam() team: TeamId,
    @CurrentAuthor() author: string,
    @Body() body: unknown,
    @Keep() keep: KeepAnswer,
  ): Promise<IncidentDto> {
    return this.writes.create(team, author, body, keep);
  }

  /** Gets an incident. */
  @Get(':id')
  @RequireScope('read')
  @IncidentId()
  @ApiConditionalGet()
  @ApiOkResponse({ type: IncidentDto, headers: ITEM_HEADERS })
  @ApiProblems('not_found')
  get(@CurrentTeam() team: TeamId, @Param('id') id: string): Promise<IncidentDto> {
    return this.incidents.get(team, id);
  }

  /**
   * Updates an incident with a JSON merge patch (RFC 7396). Only the title of a detected incident can be changed,
   * because checks determine everything else.
   */
  @Patch(':id')
  @RequireScope('write')
  @IncidentId()
  @ApiConsumes('application/json', 'application/merge-patch+json')
  @ApiBody({
    type: UpdateIncidentDto,
    examples: { title: { summary: 'A more precise title.', value: { title: 'Payments by card are delayed' } } },
  })
  @ApiOkResponse({ type: IncidentDto, headers: ITEM_HEADERS })
  @ApiProblems(...BODY_PROBLEMS, 'not_found')
  update(
    @CurrentTeam() team: TeamId,
    @Param('id') id: string,
    @Body() body: unknown,
    @IfMatch() ifMatch: IfMatch,
  ): Promise<IncidentDto> {
    return this.writes.update(team, id, body, ifMatch);
  }

  /**
   * Acknowledges an incident, which stops the steps of notification policies until the acknowledgement expires. While it
   * is in effect, and once the incident is resolved, later acknowledgements do not change the author or the time, but can
   * replace the note and the expiry.
   */
  @Post(':id/acknowledge')
  @HttpCode(200)
  @RequireScope('write')
  @IncidentId()
  @ApiBody({
    type: AcknowledgeIncidentDto,
    required: false,
    examples: {
      note: { summary: 'With a note.', value: { note: 'On it.' } },
      hours: { summary: 'For two hours.', value: { expiresInSeconds: 7_200 } },
    },
  })
  @ApiOkResponse({ type: IncidentDto, headers: ITEM_HEADERS })
  @ApiProblems(...BODY_PROBLEMS, 'not_found')
  acknowledge(
    @CurrentTeam() team: TeamId,
    @CurrentAuthor() author: string,
    @Param('id') id: string,
    @Body() body: unknown,
    @IfMatch() ifMatch: IfMatch,
    @Keep() keep: KeepAnswer,
  ): Promise<IncidentDto> {
    return this.writes.acknowledge(team, id, author, body, ifMatch, keep);
  }

  /**
   * Withdraws the acknowledgement of an incident: the steps of notification policies continue. Has no effect on an
   * incident that is not acknowledged.
   */
  @Post(':id/unacknowledge')
  @HttpCode(200)
  @RequireScope('write')
  @IncidentId()
  @ApiOkResponse({ type: IncidentDto, headers: ITEM_HEADERS })
  @ApiProblems(...BODY_PROBLEMS, 'not_found')
  unacknowledge(
    @CurrentTeam() team: TeamId,
    @Param('id') id: string,
    @RawBody() body: unknown,
    @IfMatch() ifMatch: IfMatch,
    @Keep() keep: KeepAnswer,
  ): Promise<IncidentDto> {
    return this.writes.unacknowledge(team, id, body, ifMatch, keep);
  }

  /**
   * Adds an update to an incident. It is visible to the team, and on status pages if it is public. Returns the incident
   * with all its updates.
   */
  @Post(':id/updates')
  @RequireScope('write')
  @IncidentId()
  @Located('/v1/incidents/{id}')
  @ApiBody({
    type: WriteIncidentUpdateDto,
    examples: {
      identified: {
        summary: 'An update for status pages.',
        value: { phase: 'identified', text: 'A faulty release; we are rolling back.' },
      },
      note: { summary: 'A note for the team.', value: { text: 'Started with the deployment of 12:00.' } },
    },
  })
  @ApiCreatedResponse({ type: IncidentDto, headers: CREATED_HEADERS })
  @ApiProblems(...BODY_PROBLEMS, 'not_found', 'conflict')
  tell(
    @CurrentTeam() team: TeamId,
    @CurrentAuthor() author: string,
    @Param('id') id: string,
    @Body() body: unknown,
    @IfMatch() ifMatch: IfMatch,
    @Keep() keep: KeepAnswer,
  ): Promise<IncidentDto> {
    return this.writes.tell(team, id, author, body, ifMatch, keep);
  }
}
