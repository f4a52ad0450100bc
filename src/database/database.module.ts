import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppConfig } from '../config/app-config.js';
import { dataSourceOptions } from './data-source.js';
import { DatabaseWatch } from './database-watch.js';
import { ConnectionGate, servingLimits } from './impatient-client.js';
import { Instance } from './instance.entity.js';
import { SecretBox } from './secret-box.js';
import { Transactions } from './tx.js';

@Module({ providers: [ConnectionGate], exports: [ConnectionGate] })
class GateModule {}

/**
 * Provides the data source, transactions and sealing. Start-up has added the database and the secret key to the
 * settings.
 */
@Global()
@Module({
  imports: [
    GateModule,
    TypeOrmModule.forFeature([Instance]),
    TypeOrmModule.forRootAsync({
      imports: [GateModule],
      inject: [AppConfig, ConnectionGate],
      useFactory: (config: AppConfig, gate: ConnectionGate) => ({
        ...dataSourceOptions(config.get('DATABASE_URL') ?? '', config.get('DATABASE_POOL'), servingLimits(gate)),
        autoLoadEntities: true,
        retryAttempts: 0,
      }),
    }),
  ],
  providers: [
    DatabaseWatch,
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
