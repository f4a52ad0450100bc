import { type DynamicModule, type INestApplicationContext, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type AddressInfo } from 'node:net';
import { AppModule } from '../src/app.module.js';
import { setUp } from '../src/app.setup.js';
import { type AppConfig, readConfig } from '../src/config/app-config.js';
import { APPLICATION_OPTIONS } from '../src/http/conventions.js';
import { BootstrapService } from '../src/modules/api-keys/bootstrap.service.js';
import { PinoLogger } from '../src/pino-logger.js';

/** Options of a service that runs in a benchmark's child process. */
export interface ServiceOptions {
  databaseUrl: string;
  secretKey: string;
  settings?: Record<string, string>;
  /** Added to the service's own controllers. */
  controllers?: Type<unknown>[];
}

/** The person who signs in to the application, in benchmarks that need one. */
export const OWNER = { email: 'owner@example.com', password: 'four words of some length' };

/** Starts the service on the given database, listening on 127.0.0.1 and a free port. */
export async function serve(options: ServiceOptions): Promise<{ app: NestExpressApplication; origin: string }> {
  const app = await NestFactory.create<NestExpressApplication>(moduleOf(options), {
    ...APPLICATION_OPTIONS,
    logger: new PinoLogger('silent'),
  });
  setUp(app);
  return { app, origin: await listen(app) };
}

/** Starts the service without its API. */
export function context(options: ServiceOptions): Promise<INestApplicationContext> {
  return NestFactory.createApplicationContext(moduleOf(options), { logger: new PinoLogger('silent') });
}

export async function listen(app: NestExpressApplication): Promise<string> {
  await app.listen(0, '127.0.0.1');
  return `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
}

/** Creates the first team and its key, stored in `dataDir`. Returns the key, or `null` if a team already exists. */
export async function firstKey(databaseUrl: string, secretKey: string, dataDir: string): Promise<string | null> {
  const app = await context({ databaseUrl, secretKey, settings: { DATA_DIR: dataDir } });
  const first = await app.get(BootstrapService, { strict: false }).ensureFirstTeam();
  await app.close();
  return first?.secret ?? null;
}

function moduleOf({ controllers = [], ...options }: ServiceOptions): DynamicModule {
  @Module({})
  class ServiceModule {}
  return { module: ServiceModule, imports: [AppModule.of(configOf(options))], controllers };
}

function configOf({ databaseUrl, secretKey, settings }: ServiceOptions): AppConfig {
  return readConfig({
    DATABASE_URL: databaseUrl,
    SECRET_KEY: secretKey,
    LOG_LEVEL: 'silent',
    ALLOW_PRIVATE_TARGETS: 'true',
    RATE_LIMIT_PER_MINUTE: '0',
    RETENTION_DAYS: '3650',
    ...settings,
  });
}
