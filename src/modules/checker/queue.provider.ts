import { type FactoryProvider } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
import { type RedisLinks } from '../../redis/redis-links.js';
import { REDIS } from '../../redis/redis.module.js';
import { CheckQueue } from './check-queue.js';
import { InProcessQueue } from './in-process.queue.js';
import { SlotClockService } from './slot-clock.service.js';

/** The queue of this process. A process that shares nothing does not load the client of Redis. */
export const QUEUE: FactoryProvider<Promise<CheckQueue>> = {
  provide: CheckQueue,
  inject: [AppConfig, REDIS, SlotClockService],
  useFactory: async (config: AppConfig, links: RedisLinks | null, clock: SlotClockService) => {
    if (!links) return new InProcessQueue();
    const { RedisQueue } = await import('./redis/redis.queue.js');
    return new RedisQueue(config, links, clock);
  },
};
