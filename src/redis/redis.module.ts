import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { AppConfig } from '../config/app-config.js';
import { type RedisLinks } from './redis-links.js';
import { accessKey } from './location-user.js';

/** Token of the connections to Redis: `null` in a process that shares nothing, which does not load the client. */
export const REDIS = Symbol('REDIS');

@Module({
  providers: [
    {
      provide: REDIS,
      inject: [AppConfig],
      useFactory: async (config: AppConfig): Promise<RedisLinks | null> => {
        const url = config.get('REDIS_URL');
        if (url === null) return null;
        const { RedisLinks } = await import('./redis-links.js');
        return new RedisLinks(url, accessKey(config.get('REDIS_PREFIX'), config.get('LOCATION')));
      },
    },
  ],
  exports: [REDIS],
})
export class RedisModule implements OnApplicationShutdown {
  constructor(@Inject(REDIS) private readonly links: RedisLinks | null) {}

  /** Last of all: what stops before may still have something to send. */
  onApplicationShutdown(): void {
    this.links?.close();
  }
}
