import { type FactoryProvider } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
import { type RedisLinks } from '../../redis/redis-links.js';
import { REDIS } from '../../redis/redis.module.js';
import { JobSecretsService } from './job-secrets.service.js';
import { TrialQueue } from './trial-queue.js';

/** `null` in a process that shares nothing, and so does not load the client of Redis. */
export const TRIALS: FactoryProvider<Promise<TrialQueue | null>> = {
  provide: TrialQueue,
  inject: [AppConfig, REDIS, JobSecretsService],
  useFactory: async (config: AppConfig, links: RedisLinks | null, secrets: JobSecretsService) => {
    if (!links) return null;
    const { RedisTrialQueue } = await import('./redis-trials.queue.js');
    return new RedisTrialQueue(config, links, secrets);
  },
};
