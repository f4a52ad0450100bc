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

  /** Reports that the process is alive. Does not query the database. */
  @Get('healthz')
  @ApiOkResponse({ type: AliveDto, description: 'Alive.' })
  @ApiPublicProblems()
  alive(): AliveDto {
    return { status: 'ok' };
  }

  /**
   * Reports whether the process can do its work. A 503 response names the failing part: `database` if it does not respond
   * to a query, `writes` if the database refused the latest write, for example because its disk is full, or `redis` if
   * Redis does not respond to a process that dispatches, runs or records checks, or refuses it. `redis` is listed only
   * with `REDIS_URL`, and is a warning in other processes, because the API works without it. `clock` is a warning that the
   * system clock was set back by more than a minute: check timestamps are ahead of it until it catches up.
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

  /**
   * Returns Prometheus metrics for all teams. Requires the bearer token set in `METRICS_TOKEN`. Returns 404 without
   * that setting.
   */
  @Get('metrics')
  @ApiOkResponse({
    description: 'The metrics.',
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
      throw new ProblemException(401, 'unauthenticated', this.metrics.refusal, {
        headers: { 'WWW-Authenticate': challenge() },
      });
    }
    await this.metrics.send(response);
  }
}
