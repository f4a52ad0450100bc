import { Controller, Get, Headers, NotFoundException, Res, UnauthorizedException } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { type Response } from 'express';
import { AppConfig } from '../../config/app-config.js';
import { challenge } from '../../http/auth/bearer.guard.js';
import { WorkerMetricsService } from './worker-metrics.service.js';

/** The route of the metrics of a worker, under the same conditions as that of other processes. */
@ApiExcludeController()
@Controller()
export class WorkerMetricsController {
  constructor(
    private readonly config: AppConfig,
    private readonly metrics: WorkerMetricsService,
  ) {}

  @Get('metrics')
  async scrape(@Headers('authorization') authorization: string | undefined, @Res() response: Response): Promise<void> {
    if (this.config.get('METRICS_TOKEN') === null) throw new NotFoundException();
    if (!this.metrics.admits(authorization)) {
      response.setHeader('WWW-Authenticate', challenge());
      throw new UnauthorizedException(this.metrics.refusal);
    }
    await this.metrics.send(response);
  }
}
