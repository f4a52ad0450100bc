import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppConfig } from '../config/app-config.js';
import { dataSourceOptions } from './data-source.js';
import { SERVING_LIMITS } from './impatient-client.js';
import { SecretBox } from './secret-box.js';
import { Transactions } from './tx.js';

/** The data source, transactions and sealing. The settings name a database and a secret key by then: a start sees to it. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [AppConfig],
      useFactory: (config: AppConfig) => ({
        ...dataSourceOptions(config.get('DATABASE_URL') ?? '', config.get('DATABASE_POOL'), SERVING_LIMITS),
        retryAttempts: 0,
      }),
    }),
  ],
  providers: [
    Transactions,
    {
      provide: SecretBox,
      inject: [AppConfig],
      useFactory: (config: AppConfig) => new SecretBox(config.get('SECRET_KEY') ?? ''),
    },
  ],
  exports: [Transactions, SecretBox],
})
export class DatabaseModule {}
