import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { RequireScope } from '../../http/access.decorators.js';
import { ApiProblems, BODY_PROBLEMS } from '../../http/openapi.js';
import { type Page } from '../../http/page.js';
import { CurrentTeam, type TeamId } from '../../http/principal.js';
import { RawBody } from '../../http/raw-body.decorator.js';
import { ListMonitorsQuery } from './dto/list-monitors.query.js';
import { type MonitorDto } from './monitor.mapper.js';
import { ApiMonitor, ApiMonitorBody, ApiMonitorPage, ApiMonitorPatch, ApiPauseBody } from './monitors.openapi.js';
import { MonitorPausesService } from './monitor-pauses.service.js';
import { MonitorsService } from './monitors.service.js';

@ApiTags('Monitors')
@Controller('v1/monitors')
export class MonitorsController {
  constructor(
    private readonly monitors: MonitorsService,
    private readonly pauses: MonitorPausesService,
  ) {}

  /** Lists monitors, newest first unless sorted. */
  @Get()
  @RequireScope('read')
  @ApiMonitorPage()
  @ApiProblems('invalid_cursor')
  list(@CurrentTeam() team: TeamId, @Query() query: ListMonitorsQuery): Promise<Page<MonitorDto>> {
    return this.monitors.list(team, query);
  }

  /** Creates a monitor and checks it at once. */
  @Post()
  @RequireScope('write')
  @ApiMonitorBody()
  @ApiMonitor(201)
  @ApiProblems(...BODY_PROBLEMS, 'key_taken')
  async create(
    @CurrentTeam() team: TeamId,
    @Body() body: unknown,
    @Res({ passthrough: true }) response: Response,
  ): Promise<MonitorDto> {
    const monitor = await this.monitors.create(team, body);
    response.setHeader('Location', `/v1/monitors/${monitor.id}`);
    return monitor;
  }

  /** Gets a monitor by id or `key:<key>`. */
  @Get(':id')
  @RequireScope('read')
  @ApiMonitor(200)
  @ApiProblems('not_found')
  get(@CurrentTeam() team: TeamId, @Param('id') id: string): Promise<MonitorDto> {
    return this.monitors.get(team, id);
  }

  /** Changes a monitor by JSON merge patch (RFC 7396). */
  @Patch(':id')
  @RequireScope('write')
  @ApiMonitorPatch()
  @ApiMonitor(200)
  @ApiProblems(...BODY_PROBLEMS, 'not_found', 'key_taken')
  update(@CurrentTeam() team: TeamId, @Param('id') id: string, @Body() body: unknown): Promise<MonitorDto> {
    return this.monitors.update(team, id, body);
  }

  /** Deletes a monitor with all that is known of it. */
  @Delete(':id')
  @HttpCode(204)
  @RequireScope('write')
  @ApiProblems('not_found')
  remove(@CurrentTeam() team: TeamId, @Param('id') id: string): Promise<void> {
    return this.monitors.remove(team, id);
  }

  /** Pauses a monitor, for a time or until it is resumed. Pausing a paused one replaces end and reason. */
  @Post(':id/pause')
  @HttpCode(200)
  @RequireScope('write')
  @ApiPauseBody()
  @ApiMonitor(200)
  @ApiProblems(...BODY_PROBLEMS, 'not_found')
  pause(@CurrentTeam() team: TeamId, @Param('id') id: string, @Body() body: unknown): Promise<MonitorDto> {
    return this.pauses.pause(team, id, body);
  }

  /** Resumes a monitor and checks it at once. */
  @Post(':id/resume')
  @HttpCode(200)
  @RequireScope('write')
  @ApiMonitor(200)
  @ApiProblems(...BODY_PROBLEMS, 'not_found')
  resume(@CurrentTeam() team: TeamId, @Param('id') id: string, @RawBody() body: unknown): Promise<MonitorDto> {
    return this.pauses.resume(team, id, body);
  }
}
