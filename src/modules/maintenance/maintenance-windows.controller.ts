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
   * Creates a maintenance window. While it is active, its monitors have the status `maintenance`, and the time counts
   * as maintenance, whatever the results of checks. Checks continue and their results are stored. A window does not
   * change the past: the part of an occurrence before its creation does not count.
   */
  @Post()
  @RequireScope('write')
  @Located('/v1/maintenance-windows/{id}')
  @ApiBody({
    type: CreateMaintenanceWindowDto,
    examples: {
      deployment: {
        summary: 'A window without a schedule, started and ended manually.',
        value: { key: 'deploy-42', ...DEPLOYMENT },
      },
      recurring: {
        summary: 'The first Sunday of each month, 02:30 to 04:30 in Berlin.',
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
   * Creates or replaces a maintenance window. With `key:<key>`, a missing window is created; the request is safe to
   * repeat, and of concurrent requests the last one wins. With an id, the window must exist. Omitted fields take their
   * defaults. A window that was started manually stays active.
   */
  @Put(':id')
  @RequireScope('write')
  @WindowId()
  @Located('/v1/maintenance-windows/{id}')
  @ApiBody({
    type: CreateMaintenanceWindowDto,
    examples: {
      deployment: { summary: 'A window without a schedule, started and ended manually.', value: DEPLOYMENT },
      recurring: { summary: 'The first Sunday of each month, 02:30 to 04:30 in Berlin.', value: RECURRING },
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

  /** Updates a maintenance window with a JSON merge patch (RFC 7396). Past maintenance does not change. */
  @Patch(':id')
  @RequireScope('write')
  @WindowId()
  @ApiConsumes('application/json', 'application/merge-patch+json')
  @ApiBody({
    type: UpdateMaintenanceWindowDto,
    examples: {
      texts: { summary: 'Change the description.', value: { description: 'Short interruptions are likely.' } },
    },
  })
  @ApiOkResponse({ type: MaintenanceWindowDto, headers: ITEM_HEADERS })
  @ApiProblems(...BODY_PROBLEMS, 'not_found', 'key_taken', 'conflict', 'limit_reached')
  update(
    @CurrentTeam() team: TeamId,
    @Param('id') id: string,
    @Body() body: unknown,
    @IfMatch() ifMatch: IfMatch,
  ): Promise<MaintenanceWindowDto> {
    return this.writes.update(team, id, body, ifMatch);
  }

  /** Deletes a maintenance window. Past maintenance does not change; current maintenance ends now. */
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
   * Starts a maintenance window now, independently of its schedule. If it was started manually and has not ended, its
   * end is replaced. If a scheduled occurrence is active, maintenance lasts until both have ended.
   */
  @Post(':id/start')
  @HttpCode(200)
  @RequireScope('write')
  @WindowId()
  @ApiBody({
    type: StartMaintenanceWindowDto,
    required: false,
    examples: { quarter: { summary: 'Start for at most 15 minutes.', value: { durationSeconds: 900 } } },
  })
  @ApiOkResponse({ type: MaintenanceWindowDto, headers: ITEM_HEADERS })
  @ApiProblems(...BODY_PROBLEMS, 'not_found', 'limit_reached')
  start(
    @CurrentTeam() team: TeamId,
    @Param('id') id: string,
    @Body() body: unknown,
    @IfMatch() ifMatch: IfMatch,
    @Keep() keep: KeepAnswer,
  ): Promise<MaintenanceWindowDto> {
    return this.runs.start(team, id, body, ifMatch, keep);
  }

  /**
   * Ends an active maintenance window, whether it was started manually or by its schedule. Later occurrences are not
   * affected. Has no effect on a window that is not active.
   */
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
