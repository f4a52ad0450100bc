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
import { type MonitorDefinitionView, type MonitorDto } from './dto/monitor.dto.js';
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

  /** Lists monitors, by default newest first. */
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

  /** Creates a monitor and checks it immediately. */
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
   * Creates or replaces a monitor. With `key:<key>`, a missing monitor is created; the request is safe to repeat, and
   * of concurrent requests the last one wins. With an id, the monitor must exist. A replaced monitor keeps its state
   * and history; `paused` pauses or resumes it.
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
   * Updates a monitor with a JSON merge patch (RFC 7396). Stored secrets are never sent to another target: a patch that
   * changes the origin or host must include them again, or it fails with 422 `validation_failed` and the error code
   * `secret_required`. So does a patch that removes a header from `secretHeaders` without sending its value.
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

  /** Deletes a monitor with its history. */
  @Delete(':id')
  @HttpCode(204)
  @RequireScope('write')
  @ApiMonitorId()
  @ApiProblems('not_found')
  remove(@CurrentTeam() team: TeamId, @Param('id') id: string, @IfMatch() ifMatch: IfMatch): Promise<void> {
    return this.writes.remove(team, id, ifMatch);
  }

  /**
   * Pauses a monitor, for a limited time or until it is resumed. If it is already paused, the end and reason of the
   * pause are replaced.
   */
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

  /** Gives a heartbeat monitor a new address for its reports. The previous address is rejected from now on. */
  @Post(':id/rotate-token')
  @HttpCode(200)
  @RequireScope('write')
  @ApiMonitorId('nightly-backup')
  @ApiMonitor(200)
  @ApiProblems(...BODY_PROBLEMS, 'not_found', 'rotation_unsupported')
  rotateToken(
    @CurrentTeam() team: TeamId,
    @Param('id') id: string,
    @RawBody() body: unknown,
    @IfMatch() ifMatch: IfMatch,
    @Keep() keep: KeepAnswer,
  ): Promise<MonitorDto> {
    return this.writes.rotateToken(team, id, body, ifMatch, keep);
  }

  /** Resumes a monitor and checks it immediately. Has no effect on a monitor that is not paused. */
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
