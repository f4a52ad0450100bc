import { Controller, Get, Header, Param, Query, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { type ClosedSpan } from '../../../domain/span.js';
import { RequireRole, Session } from '../../../http/auth/access.decorators.js';
import { ResponseTimesService } from '../../checks/response-times.service.js';
import { type ChartTimes } from '../../checks/response-times.types.js';
import { MonitorsService } from '../../monitors/monitors.service.js';
import { type SignedIn } from '../../people/signed-in.types.js';
import { UptimeService, windowOf } from '../../uptime/uptime.service.js';
import { PageFilter } from '../page.filter.js';
import { CurrentSession } from '../page-frame.js';
import { chartQuery } from './range.js';

const DAYS = 31;

/** Returns the data for the chart of a monitor. */
@Controller('monitors/:id/response-times.json')
@ApiExcludeController()
@Session()
@UseFilters(PageFilter)
export class ChartDataController {
  constructor(
    private readonly monitors: MonitorsService,
    private readonly responseTimes: ResponseTimesService,
    private readonly uptime: UptimeService,
  ) {}

  @Get()
  @RequireRole('viewer')
  @Header('Cache-Control', 'no-store')
  async data(
    @CurrentSession() { teamId }: SignedIn,
    @Param('id') address: string,
    @Query() sent: Readonly<Record<string, unknown>>,
  ): Promise<ChartTimes & { outages: ClosedSpan[] }> {
    const nowMs = Date.now();
    const { id } = await this.monitors.get(teamId, address);
    const query = chartQuery(sent);
    const [times, uptimes] = await Promise.all([
      this.responseTimes.chart(teamId, id, query, nowMs),
      this.uptime.times([id], windowOf({ days: DAYS }, nowMs), nowMs, query),
    ]);
    const outages = (uptimes.get(id)?.segments ?? []).filter(({ kind, to }) => kind === 'down' && to > times.fromMs);
    return { ...times, outages: outages.map(({ from, to }) => ({ from: Math.max(from, times.fromMs), to })) };
  }
}
