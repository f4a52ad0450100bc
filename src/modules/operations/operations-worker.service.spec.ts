import { expect, it } from '@jest/globals';
import { type DataSource } from 'typeorm';
import { readConfig } from '../../config/app-config.js';
import { type OperationClaimsService } from './operation-claims.service.js';
import { type OperationRunnerService } from './operation-runner.service.js';
import { OperationsWorkerService } from './operations-worker.service.js';

it('does not keep the process from stopping while a change waits for a lock', async () => {
  const claims = { next: () => new Promise(() => undefined) } as unknown as OperationClaimsService;
  const runner = { stop: () => undefined } as unknown as OperationRunnerService;
  const worker = new OperationsWorkerService(claims, runner, null as unknown as DataSource, readConfig({}));
  void worker.work();
  await expect(worker.onModuleDestroy()).resolves.toBeUndefined();
});
