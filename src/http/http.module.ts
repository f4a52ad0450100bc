import { Global, Module } from '@nestjs/common';
import { SecretBox } from '../database/secret-box.js';
import { CursorCodec } from './cursor.js';

/** What the edge's conventions need by injection. */
@Global()
@Module({
  providers: [
    {
      provide: CursorCodec,
      inject: [SecretBox],
      useFactory: (box: SecretBox) => new CursorCodec(box.keyFor('cursor')),
    },
  ],
  exports: [CursorCodec],
})
export class HttpModule {}
