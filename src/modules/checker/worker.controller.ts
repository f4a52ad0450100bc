import { Controller, Get, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { type Response } from 'express';
import { CheckQueue } from './check-queue.js';

/** Reports the health of a worker to orchestrators. */
@ApiExcludeController()
@Controller()
export class WorkerController {
  constructor(private readonly queue: CheckQueue) {}

  @Get('healthz')
  alive(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('readyz')
  ready(@Res({ passthrough: true }) response: Response): object {
    const detail = this.queue.fault;
    const status = detail === null ? 'ok' : 'failing';
    if (status !== 'ok') response.status(503).setHeader('Retry-After', '5');
    return { status, parts: [{ name: 'redis', status, detail }] };
  }
}
