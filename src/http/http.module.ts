import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SecretBox } from '../database/secret-box.js';
import { CostlyReads } from './throttle/costly-reads.js';
import { KeyedWrites } from './items/keyed-writes.js';
import { CursorCodec } from './lists/cursor.js';
import { KeysetLists } from './lists/keyset-lists.js';
import { Drain } from './drain.js';
import { ExpiredKeysService } from './idempotency/expired-keys.service.js';
import { IdempotencyKey } from './idempotency/idempotency-key.entity.js';
import { IdempotencyInterceptor } from './idempotency/idempotency.interceptor.js';
import { IdempotencyService } from './idempotency/idempotency.service.js';

/** Provides what the HTTP conventions inject. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([IdempotencyKey])],
  providers: [
    CostlyReads,
    {
      provide: CursorCodec,
      inject: [SecretBox],
      useFactory: (box: SecretBox) => new CursorCodec(box.keyFor('cursor')),
    },
    Drain,
    ExpiredKeysService,
    IdempotencyInterceptor,
    IdempotencyService,
    KeyedWrites,
    KeysetLists,
  ],
  exports: [CostlyReads, CursorCodec, Drain, IdempotencyInterceptor, KeyedWrites, KeysetLists],
})
export class HttpModule {}
