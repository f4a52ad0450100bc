import { describe } from '@jest/globals';
import { REDIS_URL } from './redis-space.js';

/** Like `describe`, for tests that need Redis. Without `REDIS_URL`, they are skipped. */
export const describeWithRedis: typeof describe.skip = REDIS_URL ? describe : describe.skip;
