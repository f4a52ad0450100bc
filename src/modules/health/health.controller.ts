import { Controller, Get, Headers, Res } from '@nestjs/common';
import { ApiOkResponse, ApiResponse, ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { AppConfig } from '../../config/app-config.js';
import { Public } from '../../http/auth/access.decorators.js';
import { challenge } from '../../http/auth/bearer.guard.js';
import { ApiPublicProblems } from '../../http/openapi/openapi.js';
import { notFound, ProblemException } from '../../http/problems/problem.js';
import { MetricsService } from '../metrics/metrics.service.js';
import { AliveDto, ReadyDto } from './dto/health.dto.js';
import { HealthService } from './health.service.js';

const NOT_READY: ReadyDto = {
  status: 'failing',
  parts: [
    { name: 'database', status: 'ok', detail: null },
    { name: 'writes', status: 'failing', detail: null },
    { name: 'clock', status: 'ok', detail: null },
  ],
};

@ApiTags('Health')
@Public()
@Controller()
export class HealthController {
  constructor(
    private readonly health: HealthService,
    private readonly metrics: MetricsService,
    private readonly config: AppConfig,
  ) {}

  /** Says that the process is alive; asks no database. */
  @Get('healthz')
  @ApiOkResponse({ type: AliveDto, description: 'Alive.' })
  @ApiPublicProblems()
  alive(): AliveDto {
    return { status: 'ok' };
  }

  /**
   * Says whether requests can be served. 503 names what fails: `database`, which is asked, or `writes`, where it has
   * refused the latest one, such as for want of room on its disk. `clock` is a warning where the system clock was set
   * back by more than a minute: checks are stamped ahead of it until it has caught up.
   */
  @Get('readyz')
  @ApiOkResponse({ type: ReadyDto, description: 'Ready.' })
  @ApiResponse({ status: 503, type: ReadyDto, description: 'Not ready.', example: NOT_READY })
  @ApiPublicProblems()
  async ready(@Res({ passthrough: true }) response: Response): Promise<ReadyDto> {
    const ready = await this.health.ready();
    if (ready.status !== 'ok') response.status(503).setHeader('Retry-After', '5');
    return ready;
  }

  /** Prometheus metrics over all teams, for the bearer of `METRICS_TOKEN`. Without that setting there is no such page. */
  @Get('metrics')
  @ApiOkResponse({
    description: 'Metrics.',
    content: {
      'text/plain': {
        schema: { type: 'string' },
        example: '# TYPE daywatch_checks_running gauge\ndaywatch_checks_running 3\n',
      },
    },
  })
  @ApiPublicProblems('unauthenticated', 'not_found')
  async scrape(@Headers('authorization') authorization: string | undefined, @Res() response: Response): Promise<void> {
    if (this.config.get('METRICS_TOKEN') === null) throw notFound();
    if (!this.metrics.admits(authorization)) {
      throw new ProblemException(401, 'unauthenticated', 'Metrics need the bearer token of METRICS_TOKEN.', {
        headers: { 'WWW-Authenticate': challenge() },
      });
    }
    await this.metrics.send(response);
  }
}
