import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, Query, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiTags,
} from '@nestjs/swagger';
import { type Response } from 'express';
import { RequireScope } from '../../http/auth/access.decorators.js';
import { Keep, type KeepAnswer } from '../../http/idempotency/keep-answer.js';
import { IfMatch } from '../../http/items/if-match.decorator.js';
import { ApiItemId } from '../../http/items/item-id.decorator.js';
import {
  ApiConditionalGet,
  ApiProblems,
  BODY_PROBLEMS,
  CREATED_HEADERS,
  ITEM_HEADERS,
  PAGE_HEADERS,
} from '../../http/openapi/openapi.js';
import { type Page } from '../../http/lists/page.js';
import { CurrentTeam, type TeamId } from '../../http/auth/principal.js';
import { RawBody } from '../../http/body/raw-body.decorator.js';
import { Located, type Representation } from '../../http/items/representation.js';
import { ItemQueryDto } from '../../http/lists/view.query.js';
import { CreateMaintenanceWindowDto, UpdateMaintenanceWindowDto } from './dto/create-maintenance-window.dto.js';
import { ListMaintenanceWindowsDto } from './dto/list-maintenance-windows.dto.js';
import {
  type MaintenanceWindowDefinitionDto,
  MaintenanceWindowDto,
  MaintenanceWindowPageDto,
} from './dto/maintenance-window.dto.js';
import { StartMaintenanceWindowDto } from './dto/start-maintenance-window.dto.js';
import { MaintenanceRunsService } from './maintenance-runs.service.js';
import { MaintenanceWindowWritesService } from './maintenance-window-writes.service.js';
import { MaintenanceWindowsService } from './maintenance-windows.service.js';

const WindowId = () => ApiItemId('maintenance window', 'deploy-42');

const DEPLOYMENT = { name: 'Deployment 42', monitorIds: ['key:checkout-api'] };
const RECURRING = {
  name: 'Database upgrades',
  tags: ['payments'],
  startsAt: '2030-01-06T01:30:00Z',
  endsAt: '2030-01-06T03:30:00Z',
  timezone: 'Europe/Berlin',
  rrule: 'FREQ=MONTHLY;BYDAY=1SU',
};

@ApiTags('Maintenance windows')
@Controller('v1/maintenance-windows')
export class MaintenanceWindowsController {
  constructor(
    private readonly windows: MaintenanceWindowsService,
    private readonly writes: MaintenanceWindowWritesService,
    private readonly runs: MaintenanceRunsService,
  ) {}

  /** Lists maintenance windows, newest first. */
  @Get()
  @RequireScope('read')
  @ApiOkResponse({ type: MaintenanceWindowPageDto, headers: PAGE_HEADERS })
  @ApiProblems('invalid_cursor')
  list(
    @CurrentTeam() team: TeamId,
    @Query() query: ListMaintenanceWindowsDto,
  ): Promise<Page<MaintenanceWindowDto | MaintenanceWindowDefinitionDto>> {
    return this.windows.list(team, query);
  }

  /**
   * Creates a maintenance window. While it takes place, its monitors show `maintenance`, and the time counts as
   * maintenance, whatever checks find; they go on and are kept. Nothing that is past changes: what lies before now of an
   * occurrence does not count.
   */
  @Post()
  @RequireScope('write')
  @Located('/v1/maintenance-windows/{id}')
  @ApiBody({
    type: CreateMaintenanceWindowDto,
    examples: {
      deployment: {
        summary: 'Without a schedule: started and ended by hand.',
        value: { key: 'deploy-42', ...DEPLOYMENT },
      },
      recurring: {
        summary: 'Each first Sunday of the month, 02:30 to 04:30 in Berlin.',
        value: { key: 'upgrades', ...RECURRING },
      },
    },
  })
  @ApiCreatedResponse({ type: MaintenanceWindowDto, headers: CREATED_HEADERS })
  @ApiProblems(...BODY_PROBLEMS, 'key_taken', 'limit_reached')
  create(@CurrentTeam() team: TeamId, @Body() body: unknown, @Keep() keep: KeepAnswer): Promise<MaintenanceWindowDto> {
    return this.writes.create(team, body, keep);
  }

  /** Gets a maintenance window by id or `key:<key>`. */
  @Get(':id')
  @RequireScope('read')
  @WindowId()
  @ApiConditionalGet()
  @ApiOkResponse({ type: MaintenanceWindowDto, headers: ITEM_HEADERS })
  @ApiProblems('not_found')
  get(
    @CurrentTeam() team: TeamId,
    @Param('id') id: string,
    @Query() { view }: ItemQueryDto,
  ): Promise<MaintenanceWindowDto | Representation> {
    return view === 'definition' ? this.windows.definition(team, id) : this.windows.get(team, id);
  }

  /**
   * Creates or replaces a maintenance window. By `key:<key>` it is made where there is none: safe to repeat, and to race.
   * By id it replaces one that exists. What is left out takes its default; a run that was started by hand goes on.
   */
  @Put(':id')
  @RequireScope('write')
  @WindowId()
  @Located('/v1/maintenance-windows/{id}')
  @ApiBody({
    type: CreateMaintenanceWindowDto,
    examples: {
      deployment: { summary: 'Without a schedule: started and ended by hand.', value: DEPLOYMENT },
      recurring: { summary: 'Each first Sunday of the month, 02:30 to 04:30 in Berlin.', value: RECURRING },
    },
  })
  @ApiOkResponse({ type: MaintenanceWindowDto, headers: ITEM_HEADERS })
  @ApiCreatedResponse({ type: MaintenanceWindowDto, headers: CREATED_HEADERS })
  @ApiProblems(...BODY_PROBLEMS, 'not_found', 'key_taken', 'conflict', 'limit_reached')
  async put(
    @CurrentTeam() team: TeamId,
    @Param('id') id: string,
    @Body() body: unknown,
    @IfMatch() ifMatch: IfMatch,
    @Res({ passthrough: true }) response: Response,
  ): Promise<MaintenanceWindowDto> {
    const { answer, created } = await this.writes.put(team, id, body, ifMatch);
    response.status(created ? 201 : 200);
    return answer;
  }

  /** Changes a maintenance window by JSON merge patch (RFC 7396), from now on. */
  @Patch(':id')
  @RequireScope('write')
  @WindowId()
  @ApiConsumes('application/json', 'application/merge-patch+json')
  @ApiBody({
    type: UpdateMaintenanceWindowDto,
    examples: {
      texts: { summary: 'Say more about it.', value: { description: 'Short interruptions are likely.' } },
    },
  })
  @ApiOkResponse({ type: MaintenanceWindowDto, headers: ITEM_HEADERS })
  @ApiProblems(...BODY_PROBLEMS, 'not_found', 'key_taken', 'conflict')
  update(
    @CurrentTeam() team: TeamId,
    @Param('id') id: string,
    @Body() body: unknown,
    @IfMatch() ifMatch: IfMatch,
  ): Promise<MaintenanceWindowDto> {
    return this.writes.update(team, id, body, ifMatch);
  }

  /** Deletes a maintenance window. What was maintenance stays so; what is, ends now. */
  @Delete(':id')
  @HttpCode(204)
  @RequireScope('write')
  @WindowId()
  @ApiNoContentResponse()
  @ApiProblems('not_found')
  async remove(@CurrentTeam() team: TeamId, @Param('id') id: string, @IfMatch() ifMatch: IfMatch): Promise<void> {
    await this.writes.remove(team, id, ifMatch);
  }

  /**
   * Starts a maintenance window now, beside its schedule. Starting one that was started by hand and runs replaces its end;
   * an occurrence of the schedule that runs ends when both are over.
   */
  @Post(':id/start')
  @HttpCode(200)
  @RequireScope('write')
  @WindowId()
  @ApiBody({
    type: StartMaintenanceWindowDto,
    required: false,
    examples: { quarter: { summary: 'For a quarter of an hour at most.', value: { durationSeconds: 900 } } },
  })
  @ApiOkResponse({ type: MaintenanceWindowDto, headers: ITEM_HEADERS })
  @ApiProblems(...BODY_PROBLEMS, 'not_found')
  start(
    @CurrentTeam() team: TeamId,
    @Param('id') id: string,
    @Body() body: unknown,
    @IfMatch() ifMatch: IfMatch,
    @Keep() keep: KeepAnswer,
  ): Promise<MaintenanceWindowDto> {
    return this.runs.start(team, id, body, ifMatch, keep);
  }

  /** Ends what takes place now, by hand or by schedule. Later occurrences stay; of a window that does not run, nothing. */
  @Post(':id/end')
  @HttpCode(200)
  @RequireScope('write')
  @WindowId()
  @ApiOkResponse({ type: MaintenanceWindowDto, headers: ITEM_HEADERS })
  @ApiProblems(...BODY_PROBLEMS, 'not_found')
  end(
    @CurrentTeam() team: TeamId,
    @Param('id') id: string,
    @RawBody() body: unknown,
    @IfMatch() ifMatch: IfMatch,
    @Keep() keep: KeepAnswer,
  ): Promise<MaintenanceWindowDto> {
    return this.runs.end(team, id, body, ifMatch, keep);
  }
}
