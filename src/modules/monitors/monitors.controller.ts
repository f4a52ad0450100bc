import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { RequireScope } from '../../http/auth/access.decorators.js';
import { Keep, type KeepAnswer } from '../../http/idempotency/keep-answer.js';
import { IfMatch } from '../../http/items/if-match.decorator.js';
import { ApiProblems, BODY_PROBLEMS } from '../../http/openapi/openapi.js';
import { type Page } from '../../http/lists/page.js';
import { CurrentTeam, type TeamId } from '../../http/auth/principal.js';
import { RawBody } from '../../http/body/raw-body.decorator.js';
import { Located, type Representation } from '../../http/items/representation.js';
import { ItemQueryDto } from '../../http/lists/view.query.js';
import { ApiMonitorBody, ApiMonitorId } from './api-monitor.decorator.js';
import { ListMonitorsQuery } from './dto/list-monitors.query.js';
import { type MonitorDefinitionView, type MonitorDto } from './monitor.mapper.js';
import {
  ApiMonitor,
  ApiMonitorItem,
  ApiMonitorPage,
  ApiMonitorPatch,
  ApiMonitorReplacement,
  ApiPauseBody,
} from './monitors.openapi.js';
import { MonitorPausesService } from './history/monitor-pauses.service.js';
import { MonitorWritesService } from './definition/monitor-writes.service.js';
import { MonitorsService } from './monitors.service.js';

@ApiTags('Monitors')
@Controller('v1/monitors')
export class MonitorsController {
  constructor(
    private readonly monitors: MonitorsService,
    private readonly writes: MonitorWritesService,
    private readonly pauses: MonitorPausesService,
  ) {}

  /** Lists monitors, newest first unless sorted. */
  @Get()
  @RequireScope('read')
  @ApiMonitorPage()
  @ApiProblems('invalid_cursor')
  list(
    @CurrentTeam() team: TeamId,
    @Query() query: ListMonitorsQuery,
  ): Promise<Page<MonitorDto | MonitorDefinitionView>> {
    return this.monitors.listAsAsked(team, query);
  }

  /** Creates a monitor and checks it at once. */
  @Post()
  @RequireScope('write')
  @Located('/v1/monitors/{id}')
  @ApiMonitorBody()
  @ApiMonitor(201)
  @ApiProblems(...BODY_PROBLEMS, 'key_taken', 'limit_reached')
  create(@CurrentTeam() team: TeamId, @Body() body: unknown, @Keep() keep: KeepAnswer): Promise<MonitorDto> {
    return this.writes.create(team, body, keep);
  }

  /** Gets a monitor by id or `key:<key>`. */
  @Get(':id')
  @RequireScope('read')
  @ApiMonitorId()
  @ApiMonitorItem()
  @ApiProblems('not_found')
  get(
    @CurrentTeam() team: TeamId,
    @Param('id') id: string,
    @Query() { view }: ItemQueryDto,
  ): Promise<MonitorDto | Representation> {
    return view === 'definition' ? this.monitors.definition(team, id) : this.monitors.get(team, id);
  }

  /**
   * Creates or replaces a monitor. By `key:<key>` it is made where there is none: safe to repeat, and to race. By id it
   * replaces one that exists. A monitor that runs goes on; `paused` pauses or resumes.
   */
  @Put(':id')
  @RequireScope('write')
  @ApiMonitorId()
  @Located('/v1/monitors/{id}')
  @ApiMonitorReplacement()
  @ApiMonitor(200)
  @ApiMonitor(201)
  @ApiProblems(...BODY_PROBLEMS, 'not_found', 'key_taken', 'limit_reached')
  async put(
    @CurrentTeam() team: TeamId,
    @Param('id') id: string,
    @Body() body: unknown,
    @IfMatch() ifMatch: IfMatch,
    @Res({ passthrough: true }) response: Response,
  ): Promise<MonitorDto> {
    const { answer, created } = await this.writes.put(team, id, body, ifMatch);
    response.status(created ? 201 : 200);
    return answer;
  }

  /**
   * Changes a monitor by JSON merge patch (RFC 7396). Stored secrets belong to their target: a patch that names another
   * origin or host has to send them again, else it is 422 `validation_failed` with `secret_required` in `errors`.
   */
  @Patch(':id')
  @RequireScope('write')
  @ApiMonitorId()
  @ApiMonitorPatch()
  @ApiMonitor(200)
  @ApiProblems(...BODY_PROBLEMS, 'not_found', 'key_taken')
  update(
    @CurrentTeam() team: TeamId,
    @Param('id') id: string,
    @Body() body: unknown,
    @IfMatch() ifMatch: IfMatch,
  ): Promise<MonitorDto> {
    return this.writes.update(team, id, body, ifMatch);
  }

  /** Deletes a monitor with all that is known of it. */
  @Delete(':id')
  @HttpCode(204)
  @RequireScope('write')
  @ApiMonitorId()
  @ApiProblems('not_found')
  remove(@CurrentTeam() team: TeamId, @Param('id') id: string, @IfMatch() ifMatch: IfMatch): Promise<void> {
    return this.writes.remove(team, id, ifMatch);
  }

  /** Pauses a monitor, for a time or until it is resumed. Pausing a paused one replaces end and reason. */
  @Post(':id/pause')
  @HttpCode(200)
  @RequireScope('write')
  @ApiMonitorId()
  @ApiPauseBody()
  @ApiMonitor(200)
  @ApiProblems(...BODY_PROBLEMS, 'not_found')
  pause(
    @CurrentTeam() team: TeamId,
    @Param('id') id: string,
    @Body() body: unknown,
    @IfMatch() ifMatch: IfMatch,
    @Keep() keep: KeepAnswer,
  ): Promise<MonitorDto> {
    return this.pauses.pause(team, id, body, ifMatch, keep);
  }

  /** Resumes a monitor and checks it at once. */
  @Post(':id/resume')
  @HttpCode(200)
  @RequireScope('write')
  @ApiMonitorId()
  @ApiMonitor(200)
  @ApiProblems(...BODY_PROBLEMS, 'not_found')
  resume(
    @CurrentTeam() team: TeamId,
    @Param('id') id: string,
    @RawBody() body: unknown,
    @IfMatch() ifMatch: IfMatch,
    @Keep() keep: KeepAnswer,
  ): Promise<MonitorDto> {
    return this.pauses.resume(team, id, body, ifMatch, keep);
  }
}
